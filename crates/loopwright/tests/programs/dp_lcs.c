/* The longest common subsequence of two sequences of numbers. */
#include <stdio.h>

#define N 60
#define M 75

static int a[N], b[M], len[N + 1][M + 1];

int main(void)
{
    for (int i = 0; i < N; i++)
        a[i] = (i * i + 1) % 7;
    for (int j = 0; j < M; j++)
        b[j] = (j * 3 + j * j) % 7;
#pragma scop
    for (int i = 1; i <= N; i++)
        for (int j = 1; j <= M; j++) {
            if (a[i - 1] == b[j - 1])
                len[i][j] = len[i - 1][j - 1] + 1;
            else if (len[i - 1][j] >= len[i][j - 1])
                len[i][j] = len[i - 1][j];
            else
                len[i][j] = len[i][j - 1];
        }
#pragma endscop
    printf("%d %d\n", len[N][M], len[N / 2][M / 2]);
    return 0;
}
