/* The modified Gram-Schmidt process on the columns of a matrix. */
#include <math.h>
#include <stdio.h>

#define M 30
#define N 18

static double q[M][N], r[N][N];

int main(void)
{
    for (int i = 0; i < M; i++)
        for (int j = 0; j < N; j++)
            q[i][j] = ((i * j) % 11 + 1.0) / (1 + (i + j) % 5);
#pragma scop
    for (int k = 0; k < N; k++) {
        double norm = 0;
        for (int i = 0; i < M; i++)
            norm += q[i][k] * q[i][k];
        r[k][k] = sqrt(norm);
        for (int i = 0; i < M; i++)
            q[i][k] /= r[k][k];
        for (int j = k + 1; j < N; j++) {
            r[k][j] = 0;
            for (int i = 0; i < M; i++)
                r[k][j] += q[i][k] * q[i][j];
            for (int i = 0; i < M; i++)
                q[i][j] -= q[i][k] * r[k][j];
        }
    }
#pragma endscop
    double s = 0;
    for (int k = 0; k < N; k++)
        for (int j = k; j < N; j++)
            s += r[k][j] * (k + 2 * j);
    printf("%.12g\n", s);
    return 0;
}
