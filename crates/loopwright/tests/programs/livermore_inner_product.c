/* An inner product, repeated. */
#include <stdio.h>

#define N 300

static double x[N], z[N];

int main(void)
{
    double q = 0;
    int k, l;
    for (k = 0; k < N; k++) {
        x[k] = k % 7 * 0.3;
        z[k] = k % 5 - 1.5;
    }
#pragma scop
    for (l = 0; l < 4; l++) {
        q = 0.0;
        for (k = 0; k < N; k++)
            q += z[k] * x[k];
    }
#pragma endscop
    printf("%.17g\n", q);
    return 0;
}
