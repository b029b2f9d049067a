/* The knapsack problem: the column that is read depends on a weight. */
#include <stdio.h>

#define ITEMS 20
#define CAPACITY 90

static int best[ITEMS + 1][CAPACITY + 1];
static int weight[ITEMS], value[ITEMS];

int main(void)
{
    for (int i = 0; i < ITEMS; i++) {
        weight[i] = 3 + i * 7 % 13;
        value[i] = 5 + i * 11 % 17;
    }
#pragma scop
    for (int i = 1; i <= ITEMS; i++)
        for (int w = 0; w <= CAPACITY; w++) {
            best[i][w] = best[i - 1][w];
            if (weight[i - 1] <= w && best[i - 1][w - weight[i - 1]] + value[i - 1] > best[i][w])
                best[i][w] = best[i - 1][w - weight[i - 1]] + value[i - 1];
        }
#pragma endscop
    printf("%d\n", best[ITEMS][CAPACITY]);
    return 0;
}
