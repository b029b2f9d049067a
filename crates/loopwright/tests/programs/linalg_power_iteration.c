/* Power iteration for the largest eigenvalue, a fixed number of steps. */
#include <math.h>
#include <stdio.h>

#define N 32

static double a[N][N], x[N], y[N];

int main(void)
{
    for (int i = 0; i < N; i++) {
        x[i] = 1.0;
        for (int j = 0; j < N; j++)
            a[i][j] = 1.0 / (1 + i + j);
    }
    double lambda = 0;
#pragma scop
    for (int it = 0; it < 10; it++) {
        double norm = 0;
        for (int i = 0; i < N; i++) {
            y[i] = 0;
            for (int j = 0; j < N; j++)
                y[i] += a[i][j] * x[j];
        }
        for (int i = 0; i < N; i++)
            norm += y[i] * y[i];
        lambda = sqrt(norm);
        for (int i = 0; i < N; i++)
            x[i] = y[i] / lambda;
    }
#pragma endscop
    printf("%.17g %.17g\n", lambda, x[N / 2]);
    return 0;
}
