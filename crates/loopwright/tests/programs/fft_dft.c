/* A discrete Fourier transform by its definition, with a table of roots. */
#include <stdio.h>

#define N 24

static double x[N], re[N], im[N], c[N], s[N];

int main(void)
{
    for (int i = 0; i < N; i++) {
        x[i] = i % 5;
        c[i] = 1.0 - 0.05 * i;
        s[i] = 0.03 * i;
    }
#pragma scop
    for (int k = 0; k < N; k++) {
        re[k] = 0;
        im[k] = 0;
        for (int n = 0; n < N; n++) {
            re[k] += x[n] * c[k * n % N];
            im[k] -= x[n] * s[k * n % N];
        }
    }
#pragma endscop
    double t = 0;
    for (int k = 0; k < N; k++)
        t += re[k] * k + im[k];
    printf("%.17g\n", t);
    return 0;
}
