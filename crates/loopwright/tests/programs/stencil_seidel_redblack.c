/* Gauss-Seidel with red and black points. */
#include <stdio.h>

#define N 42

static double g[N][N];

int main(void)
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            g[i][j] = (i * j) % 9;
#pragma scop
    for (int sweep = 0; sweep < 8; sweep++)
        for (int color = 0; color < 2; color++)
            for (int i = 1; i < N - 1; i++)
                for (int j = 1 + (i + color) % 2; j < N - 1; j += 2)
                    g[i][j] = 0.25 * (g[i - 1][j] + g[i + 1][j] + g[i][j - 1] + g[i][j + 1]);
#pragma endscop
    double s = 0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            s += g[i][j] * (i + 2 * j);
    printf("%.17g\n", s);
    return 0;
}
