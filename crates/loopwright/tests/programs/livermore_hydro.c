/* A hydrodynamics fragment (in the manner of the first Livermore loop). */
#include <stdio.h>

#define N 200

static double x[N], y[N], z[N + 11];

int main(void)
{
    double q = 0.5, r = 0.25, t = 0.125;
    for (int k = 0; k < N; k++)
        y[k] = k % 10;
    for (int k = 0; k < N + 11; k++)
        z[k] = k % 12 * 0.1;
#pragma scop
    for (int l = 1; l <= 5; l++)
        for (int k = 0; k < N; k++)
            x[k] = q + y[k] * (r * z[k + 10] + t * z[k + 11 - 1]);
#pragma endscop
    double s = 0;
    for (int k = 0; k < N; k++)
        s += x[k] * k;
    printf("%.17g\n", s);
    return 0;
}
