/* A banded matrix times a vector, and elimination inside the band. */
#include <stdio.h>

#define N 64
#define BAND 3

static double ab[N][2 * BAND + 1], x[N], y[N];

int main(void)
{
    for (int i = 0; i < N; i++) {
        x[i] = i % 6 - 2;
        for (int k = 0; k <= 2 * BAND; k++)
            ab[i][k] = k == BAND ? 10.0 : 1.0 / (1 + k + i % 4);
    }
#pragma scop
    for (int i = 0; i < N; i++) {
        y[i] = 0;
        for (int j = (i - BAND > 0 ? i - BAND : 0); j <= (i + BAND < N - 1 ? i + BAND : N - 1); j++)
            y[i] += ab[i][j - i + BAND] * x[j];
    }
    for (int k = 0; k < N - 1; k++)
        for (int i = k + 1; i <= k + BAND && i < N; i++) {
            double f = ab[i][k - i + BAND] / ab[k][BAND];
            for (int j = k; j <= k + BAND && j < N; j++)
                ab[i][j - i + BAND] -= f * ab[k][j - k + BAND];
            y[i] -= f * y[k];
        }
#pragma endscop
    double s = 0;
    for (int i = 0; i < N; i++)
        s += y[i] * (i % 9) + ab[i][BAND];
    printf("%.17g\n", s);
    return 0;
}
