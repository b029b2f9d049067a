/* The order of a chain of matrix products with the least work. */
#include <stdio.h>

#define N 26

static long cost[N][N];
static long dims[N + 1];

int main(void)
{
    for (int i = 0; i <= N; i++)
        dims[i] = 5 + i * 37 % 23;
#pragma scop
    for (int i = 0; i < N; i++)
        cost[i][i] = 0;
    for (int len = 1; len < N; len++)
        for (int i = 0; i < N - len; i++) {
            cost[i][i + len] = 1000000000;
            for (int k = i; k < i + len; k++) {
                long c = cost[i][k] + cost[k + 1][i + len] + dims[i] * dims[k + 1] * dims[i + len + 1];
                if (c < cost[i][i + len])
                    cost[i][i + len] = c;
            }
        }
#pragma endscop
    printf("%ld\n", cost[0][N - 1]);
    return 0;
}
