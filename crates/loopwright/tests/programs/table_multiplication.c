/* A table of products and its sums by rows and columns. */
#include <stdio.h>

#define N 40

static int t[N][N], rows[N], cols[N];

int main(void)
{
    int i, j;
#pragma scop
    for (i = 0; i < N; i++)
        for (j = 0; j < N; j++)
            t[i][j] = (i + 1) * (j + 1);
    for (i = 0; i < N; i++)
        rows[i] = 0;
    for (j = 0; j < N; j++)
        cols[j] = 0;
    for (i = 0; i < N; i++)
        for (j = 0; j < N; j++) {
            rows[i] += t[i][j];
            cols[j] += t[i][j];
        }
#pragma endscop
    long s = 0;
    for (i = 0; i < N; i++)
        s += rows[i] * (i + 1L) - cols[i];
    printf("%ld\n", s);
    return 0;
}
