/* A five-point stencil; each border has its own formula. */
#include <stdio.h>

#define N 40

static float a[N][N], b[N][N];

static void step(int n)
{
    int i, j;
#pragma scop
    for (i = 1; i < n - 1; i++)
        for (j = 1; j < n - 1; j++)
            b[i][j] = 0.2f * (a[i][j] + a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]);
    for (i = 1; i < n - 1; i++) {
        b[i][0] = b[i][1];
        b[i][n - 1] = b[i][n - 2];
    }
    for (j = 0; j < n; j++) {
        b[0][j] = b[1][j];
        b[n - 1][j] = b[n - 2][j];
    }
    for (i = 0; i < n; i++)
        for (j = 0; j < n; j++)
            a[i][j] = b[i][j];
#pragma endscop
}

int main(void)
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            a[i][j] = (float)((i * 7 + j * 3) % 20);
    for (int t = 0; t < 6; t++)
        step(N);
    double s = 0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            s += a[i][j] * (i - j);
    printf("%.9g\n", s);
    return 0;
}
