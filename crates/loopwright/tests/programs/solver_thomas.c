/* Thomas' algorithm for many tridiagonal systems. */
#include <stdio.h>

#define SYSTEMS 20
#define N 40

static double lo[SYSTEMS][N], di[SYSTEMS][N], up[SYSTEMS][N], rhs[SYSTEMS][N];

int main(void)
{
    for (int s = 0; s < SYSTEMS; s++)
        for (int i = 0; i < N; i++) {
            lo[s][i] = -1.0;
            up[s][i] = -1.0 + 0.01 * s;
            di[s][i] = 4.0 + i % 3;
            rhs[s][i] = (s + i) % 5;
        }
#pragma scop
    for (int s = 0; s < SYSTEMS; s++) {
        for (int i = 1; i < N; i++) {
            double w = lo[s][i] / di[s][i - 1];
            di[s][i] = di[s][i] - w * up[s][i - 1];
            rhs[s][i] = rhs[s][i] - w * rhs[s][i - 1];
        }
        rhs[s][N - 1] = rhs[s][N - 1] / di[s][N - 1];
        for (int i = N - 2; i >= 0; i--)
            rhs[s][i] = (rhs[s][i] - up[s][i] * rhs[s][i + 1]) / di[s][i];
    }
#pragma endscop
    double sum = 0;
    for (int s = 0; s < SYSTEMS; s++)
        for (int i = 0; i < N; i++)
            sum += rhs[s][i] * (s - i);
    printf("%.17g\n", sum);
    return 0;
}
