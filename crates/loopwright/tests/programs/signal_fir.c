/* A filter with finite response over a parameter's number of taps. */
#include <stdio.h>

static void fir(int n, int taps, const float *restrict h, const float *restrict x, float *restrict y)
{
#pragma scop
    for (int i = 0; i < n - taps + 1; i++) {
        y[i] = 0;
        for (int k = 0; k < taps; k++)
            y[i] += h[k] * x[i + k];
    }
#pragma endscop
}

int main(void)
{
    static float h[9], x[120], y[120];
    for (int k = 0; k < 9; k++)
        h[k] = 1.0f / (float)(k + 1);
    for (int i = 0; i < 120; i++)
        x[i] = (float)(i % 14) - 5;
    fir(120, 9, h, x, y);
    double s = 0;
    for (int i = 0; i < 120; i++)
        s += y[i] * (i % 6);
    printf("%.9g\n", s);
    return 0;
}
