/* Heat in a rod; two rows that change their roles by the parity of the step. */
#include <stdio.h>

#define N 100
#define STEPS 30

static double u[2][N];

int main(void)
{
    for (int i = 0; i < N; i++)
        u[0][i] = u[1][i] = i == N / 2 ? 100.0 : 0.0;
#pragma scop
    for (int t = 0; t < STEPS; t++)
        for (int i = 1; i < N - 1; i++)
            u[(t + 1) % 2][i] = u[t % 2][i] +
                                0.25 * (u[t % 2][i - 1] - 2 * u[t % 2][i] + u[t % 2][i + 1]);
#pragma endscop
    double s = 0;
    for (int i = 0; i < N; i++)
        s += u[STEPS % 2][i] * i;
    printf("%.17g\n", s);
    return 0;
}
