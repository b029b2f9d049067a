/* An equation of state: a long expression of neighbours. */
#include <stdio.h>

#define N 150

static double u[N + 6], x[N], y[N], z[N];

int main(void)
{
    double r = 0.1, t = 0.2, q = 0.3;
    for (int k = 0; k < N + 6; k++)
        u[k] = k % 9;
    for (int k = 0; k < N; k++) {
        y[k] = k % 4;
        z[k] = k % 3;
    }
#pragma scop
    for (int k = 0; k < N; k++)
        x[k] = u[k] + r * (z[k] + r * y[k]) +
               t * (u[k + 3] + r * (u[k + 2] + r * u[k + 1]) +
                    t * (u[k + 6] + q * (u[k + 5] + q * u[k + 4])));
#pragma endscop
    double s = 0;
    for (int k = 0; k < N; k++)
        s += x[k] * (k % 11);
    printf("%.17g\n", s);
    return 0;
}
