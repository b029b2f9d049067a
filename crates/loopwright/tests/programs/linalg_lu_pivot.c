/* LU factorization with partial pivoting; the row is searched and exchanged in the region. */
#include <math.h>
#include <stdio.h>

#define N 24

static double a[N][N];
static int perm[N];

int main(void)
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            a[i][j] = (i * 7 + j * 3) % 10 + (i == j ? 0.5 : 0.25);
#pragma scop
    for (int k = 0; k < N; k++) {
        int p = k;
        for (int i = k + 1; i < N; i++)
            if (fabs(a[i][k]) > fabs(a[p][k]))
                p = i;
        perm[k] = p;
        for (int j = 0; j < N; j++) {
            double t = a[k][j];
            a[k][j] = a[p][j];
            a[p][j] = t;
        }
        for (int i = k + 1; i < N; i++) {
            a[i][k] /= a[k][k];
            for (int j = k + 1; j < N; j++)
                a[i][j] -= a[i][k] * a[k][j];
        }
    }
#pragma endscop
    double s = 0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            s += a[i][j] * (perm[i] + j);
    printf("%.17g\n", s);
    return 0;
}
