/* A square matrix transposed in place. */
#include <stdio.h>

#define N 51

static int m[N][N];

int main(void)
{
    int i, j, t;
    for (i = 0; i < N; i++)
        for (j = 0; j < N; j++)
            m[i][j] = i * 100 + j;
#pragma scop
    for (i = 0; i < N; i++)
        for (j = i + 1; j < N; j++) {
            t = m[i][j];
            m[i][j] = m[j][i];
            m[j][i] = t;
        }
#pragma endscop
    long s = 0;
    for (i = 0; i < N; i++)
        for (j = 0; j < N; j++)
            s += (long)m[i][j] * (i + 3 * j);
    printf("%ld\n", s);
    return 0;
}
