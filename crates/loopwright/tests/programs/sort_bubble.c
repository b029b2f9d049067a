/* Bubble sort. */
#include <stdio.h>

#define N 40

static int a[N];

int main(void)
{
    int i, j, t;
    for (i = 0; i < N; i++)
        a[i] = (i * 67 + 5) % 101;
#pragma scop
    for (i = 0; i < N - 1; i++)
        for (j = 0; j < N - 1 - i; j++)
            if (a[j] > a[j + 1]) {
                t = a[j];
                a[j] = a[j + 1];
                a[j + 1] = t;
            }
#pragma endscop
    for (i = 0; i < N; i++)
        printf("%d ", a[i]);
    printf("\n");
    return 0;
}
