/* The summed-area table. */
#include <stdio.h>

#define N 45

static long sat[N + 1][N + 1];
static int pic[N][N];

int main(void)
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            pic[i][j] = (i * 5 + j * 9) % 31;
#pragma scop
    for (int i = 1; i <= N; i++)
        for (int j = 1; j <= N; j++)
            sat[i][j] = pic[i - 1][j - 1] + sat[i - 1][j] + sat[i][j - 1] - sat[i - 1][j - 1];
#pragma endscop
    printf("%ld %ld\n", sat[N][N], sat[N / 2][N / 3]);
    return 0;
}
