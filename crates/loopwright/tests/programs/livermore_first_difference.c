/* First differences. */
#include <stdio.h>

#define N 400

static float x[N], y[N + 1];

int main(void)
{
    for (int k = 0; k <= N; k++)
        y[k] = (float)(k * k % 37);
#pragma scop
    for (int k = 0; k < N; k++)
        x[k] = y[k + 1] - y[k];
#pragma endscop
    double s = 0;
    for (int k = 0; k < N; k++)
        s += x[k] * (k % 13);
    printf("%.9g\n", s);
    return 0;
}
