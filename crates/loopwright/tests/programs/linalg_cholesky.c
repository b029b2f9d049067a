/* Cholesky factorization in place, with the square root of the diagonal. */
#include <math.h>
#include <stdio.h>

#define N 36

static double a[N][N];

static void cholesky(int n)
{
    int i, j, k;
#pragma scop
    for (j = 0; j < n; j++) {
        for (k = 0; k < j; k++)
            a[j][j] -= a[j][k] * a[j][k];
        a[j][j] = sqrt(a[j][j]);
        for (i = j + 1; i < n; i++) {
            for (k = 0; k < j; k++)
                a[i][j] -= a[i][k] * a[j][k];
            a[i][j] /= a[j][j];
        }
    }
#pragma endscop
}

int main(void)
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            a[i][j] = i == j ? N + 1.0 : 1.0 / (1 + i + j);
    cholesky(N);
    double s = 0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j <= i; j++)
            s += a[i][j] * (i - j + 1);
    printf("%.17g\n", s);
    return 0;
}
