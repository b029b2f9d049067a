/* A recursive filter, channel by channel. */
#include <stdio.h>

#define CH 6
#define N 90

static double x[CH][N], y[CH][N];

int main(void)
{
    for (int c = 0; c < CH; c++)
        for (int i = 0; i < N; i++)
            x[c][i] = (c * 11 + i * 3) % 8;
#pragma scop
    for (int c = 0; c < CH; c++)
        for (int i = 0; i < N; i++) {
            if (i < 2)
                y[c][i] = x[c][i];
            else
                y[c][i] = 0.2 * x[c][i] + 1.1 * y[c][i - 1] - 0.4 * y[c][i - 2];
        }
#pragma endscop
    double s = 0;
    for (int c = 0; c < CH; c++)
        for (int i = 0; i < N; i++)
            s += y[c][i] * (c - i % 5);
    printf("%.17g\n", s);
    return 0;
}
