/* Jacobi's method until the residual is small: the number of steps depends on data. */
#include <math.h>
#include <stdio.h>

#define N 25

static double a[N][N], b[N], x[N], xn[N];

int main(void)
{
    for (int i = 0; i < N; i++) {
        b[i] = i % 4;
        for (int j = 0; j < N; j++)
            a[i][j] = i == j ? 40.0 : (i + j) % 3;
    }
    double err = 1.0;
#pragma scop
    while (err > 1e-10) {
        err = 0.0;
        for (int i = 0; i < N; i++) {
            xn[i] = b[i];
            for (int j = 0; j < N; j++)
                if (j != i)
                    xn[i] -= a[i][j] * x[j];
            xn[i] /= a[i][i];
        }
        for (int i = 0; i < N; i++) {
            err += fabs(xn[i] - x[i]);
            x[i] = xn[i];
        }
    }
#pragma endscop
    double s = 0;
    for (int i = 0; i < N; i++)
        s += x[i] * (i + 1);
    printf("%.17g\n", s);
    return 0;
}
