/* Conway's game of life on a board with a dead border. */
#include <stdio.h>

#define N 34

static int now[N][N], then[N][N];

int main(void)
{
    int i, j, t, alive;
    for (i = 1; i < N - 1; i++)
        for (j = 1; j < N - 1; j++)
            now[i][j] = (i * 5 + j * 7 + i * j) % 3 == 0;
#pragma scop
    for (t = 0; t < 5; t++) {
        for (i = 1; i < N - 1; i++)
            for (j = 1; j < N - 1; j++) {
                alive = now[i - 1][j - 1] + now[i - 1][j] + now[i - 1][j + 1] + now[i][j - 1] +
                        now[i][j + 1] + now[i + 1][j - 1] + now[i + 1][j] + now[i + 1][j + 1];
                then[i][j] = alive == 3 || (now[i][j] && alive == 2);
            }
        for (i = 1; i < N - 1; i++)
            for (j = 1; j < N - 1; j++)
                now[i][j] = then[i][j];
    }
#pragma endscop
    long s = 0;
    for (i = 0; i < N; i++)
        for (j = 0; j < N; j++)
            s = (s * 2 + now[i][j]) % 1000003;
    printf("%ld\n", s);
    return 0;
}
