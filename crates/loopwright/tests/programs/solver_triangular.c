/* Forward and back substitution, the second with a loop that counts down. */
#include <stdio.h>

#define N 60

static double l[N][N], x[N], y[N], b[N];

int main(void)
{
    int i, j;
    for (i = 0; i < N; i++) {
        b[i] = 1 + i % 3;
        for (j = 0; j <= i; j++)
            l[i][j] = i == j ? 4.0 : 1.0 / (1 + i + j);
    }
#pragma scop
    for (i = 0; i < N; i++) {
        y[i] = b[i];
        for (j = 0; j < i; j++)
            y[i] -= l[i][j] * y[j];
        y[i] /= l[i][i];
    }
    for (i = N - 1; i >= 0; i--) {
        x[i] = y[i];
        for (j = i + 1; j < N; j++)
            x[i] -= l[j][i] * x[j];
        x[i] /= l[i][i];
    }
#pragma endscop
    double s = 0;
    for (i = 0; i < N; i++)
        s += x[i] * (i + 1);
    printf("%.17g\n", s);
    return 0;
}
