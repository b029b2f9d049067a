/* The wave equation with three time levels, copied at the end of each step. */
#include <stdio.h>

#define N 36

static double p0[N][N], p1[N][N], p2[N][N];

int main(void)
{
    p1[N / 2][N / 2] = p0[N / 2][N / 2] = 1.0;
#pragma scop
    for (int t = 0; t < 12; t++) {
        for (int i = 1; i < N - 1; i++)
            for (int j = 1; j < N - 1; j++)
                p2[i][j] = 2.0 * p1[i][j] - p0[i][j] +
                           0.2 * (p1[i - 1][j] + p1[i + 1][j] + p1[i][j - 1] + p1[i][j + 1] -
                                  4.0 * p1[i][j]);
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++) {
                p0[i][j] = p1[i][j];
                p1[i][j] = p2[i][j];
            }
    }
#pragma endscop
    double s = 0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            s += p1[i][j] * (3 * i - j);
    printf("%.17g\n", s);
    return 0;
}
