/* All shortest paths. */
#include <stdio.h>

#define N 30

static int dist[N][N];

int main(void)
{
    int i, j, k;
    for (i = 0; i < N; i++)
        for (j = 0; j < N; j++)
            dist[i][j] = i == j ? 0 : 1 + (i * 17 + j * 23) % 50;
#pragma scop
    for (k = 0; k < N; k++)
        for (i = 0; i < N; i++)
            for (j = 0; j < N; j++)
                if (dist[i][k] + dist[k][j] < dist[i][j])
                    dist[i][j] = dist[i][k] + dist[k][j];
#pragma endscop
    long s = 0;
    for (i = 0; i < N; i++)
        for (j = 0; j < N; j++)
            s += dist[i][j] * (i + 1);
    printf("%ld\n", s);
    return 0;
}
