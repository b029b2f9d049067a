/* A sparse matrix with the same number of entries in each row. */
#include <stdio.h>

#define N 60
#define K 5

static int idx[N][K];
static double v[N][K], x[N], y[N];

int main(void)
{
    for (int i = 0; i < N; i++) {
        x[i] = 0.5 * (i % 9);
        for (int k = 0; k < K; k++) {
            idx[i][k] = (i + k * 7) % N;
            v[i][k] = 1.0 / (1 + k + i % 3);
        }
    }
#pragma scop
    for (int i = 0; i < N; i++) {
        double acc = 0;
        for (int k = 0; k < K; k++)
            acc += v[i][k] * x[idx[i][k]];
        y[i] = acc;
    }
#pragma endscop
    double s = 0;
    for (int i = 0; i < N; i++)
        s += y[i] * (i - 20);
    printf("%.17g\n", s);
    return 0;
}
