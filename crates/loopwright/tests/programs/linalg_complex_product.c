/* Products of complex numbers in an array of structures. */
#include <stdio.h>

struct complex_number {
    double re, im;
};

#define N 120

static struct complex_number u[N], v[N], w[N];

int main(void)
{
    for (int i = 0; i < N; i++) {
        u[i].re = i % 7;
        u[i].im = i % 5 - 2;
        v[i].re = 0.5 * i;
        v[i].im = 3 - i % 4;
    }
#pragma scop
    for (int i = 0; i < N; i++) {
        w[i].re = u[i].re * v[i].re - u[i].im * v[i].im;
        w[i].im = u[i].re * v[i].im + u[i].im * v[i].re;
    }
#pragma endscop
    double s = 0;
    for (int i = 0; i < N; i++)
        s += w[i].re * i - w[i].im;
    printf("%.17g\n", s);
    return 0;
}
