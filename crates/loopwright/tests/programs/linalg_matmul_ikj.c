/* Matrix product with the loops in the order i, k, j and a scalar for the element of a. */
#include <stdio.h>

#define N 40

static double a[N][N], b[N][N], c[N][N];

int main(void)
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            a[i][j] = (i * 3 + j) % 5;
            b[i][j] = (i - j) % 7;
            c[i][j] = 0;
        }
#pragma scop
    for (int i = 0; i < N; i++)
        for (int k = 0; k < N; k++) {
            double r = a[i][k];
            for (int j = 0; j < N; j++)
                c[i][j] += r * b[k][j];
        }
#pragma endscop
    double s = 0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            s += c[i][j] * (2 * i - j);
    printf("%.17g\n", s);
    return 0;
}
