/* A general linear recurrence: every value needs all before it. */
#include <stdio.h>

#define N 60

static double w[N], b[N][N];

int main(void)
{
    int i, k;
    for (i = 0; i < N; i++) {
        w[i] = 0.01;
        for (k = 0; k < N; k++)
            b[k][i] = (i + k) % 5 * 0.01;
    }
#pragma scop
    for (i = 1; i < N; i++)
        for (k = 0; k < i; k++)
            w[i] += b[k][i] * w[(i - k) - 1];
#pragma endscop
    double s = 0;
    for (i = 0; i < N; i++)
        s += w[i] * i;
    printf("%.17g\n", s);
    return 0;
}
