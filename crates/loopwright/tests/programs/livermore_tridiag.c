/* Elimination below the diagonal: a recurrence of first order. */
#include <stdio.h>

#define N 250

static double x[N], y[N], z[N];

int main(void)
{
    for (int i = 0; i < N; i++) {
        x[i] = 1.0;
        y[i] = i % 6;
        z[i] = 0.1 * (i % 4);
    }
#pragma scop
    for (int i = 1; i < N; i++)
        x[i] = z[i] * (y[i] - x[i - 1]);
#pragma endscop
    double s = 0;
    for (int i = 0; i < N; i++)
        s += x[i] * (i % 10);
    printf("%.17g\n", s);
    return 0;
}
