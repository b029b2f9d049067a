/* Particles in a box turn around at its walls: a condition on data. */
#include <stdio.h>

#define N 50

static double x[N], v[N];

int main(void)
{
    for (int i = 0; i < N; i++) {
        x[i] = i * 0.02;
        v[i] = (i % 7 - 3) * 0.11;
    }
#pragma scop
    for (int t = 0; t < 40; t++)
        for (int i = 0; i < N; i++) {
            x[i] = x[i] + v[i] * 0.1;
            if (x[i] < 0.0 || x[i] > 1.0)
                v[i] = -v[i];
        }
#pragma endscop
    double s = 0;
    for (int i = 0; i < N; i++)
        s += x[i] * (i + 1) + v[i];
    printf("%.17g\n", s);
    return 0;
}
