/* Pascal's triangle modulo a prime. */
#include <stdio.h>

#define N 64

static unsigned c[N][N];

int main(void)
{
#pragma scop
    for (int n = 0; n < N; n++) {
        c[n][0] = 1;
        for (int k = 1; k < n; k++)
            c[n][k] = (c[n - 1][k - 1] + c[n - 1][k]) % 65521u;
        if (n > 0)
            c[n][n] = 1;
    }
#pragma endscop
    unsigned s = 0;
    for (int k = 0; k < N; k++)
        s = s * 3 + c[N - 1][k];
    printf("%u\n", s);
    return 0;
}
