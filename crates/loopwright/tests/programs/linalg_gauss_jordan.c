/* Gauss-Jordan elimination without pivoting on an augmented matrix. */
#include <stdio.h>

#define N 20

static double m[N][N + 1];

int main(void)
{
    int i, j, k;
    for (i = 0; i < N; i++) {
        for (j = 0; j < N; j++)
            m[i][j] = (i + 2 * j) % 7 + (i == j ? 30 : 0);
        m[i][N] = i - 3;
    }
#pragma scop
    for (k = 0; k < N; k++) {
        for (j = k + 1; j <= N; j++)
            m[k][j] = m[k][j] / m[k][k];
        for (i = 0; i < N; i++)
            if (i != k)
                for (j = k + 1; j <= N; j++)
                    m[i][j] = m[i][j] - m[i][k] * m[k][j];
    }
#pragma endscop
    double s = 0;
    for (i = 0; i < N; i++)
        s += m[i][N] * (i + 1);
    printf("%.17g\n", s);
    return 0;
}
