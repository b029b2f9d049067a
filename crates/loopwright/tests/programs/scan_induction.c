/* A second subscript that is counted up beside the loop. */
#include <stdio.h>

#define N 20

static int tri[N * (N + 1) / 2], row[N];

int main(void)
{
    int i, j, k;
#pragma scop
    k = 0;
    for (i = 0; i < N; i++) {
        row[i] = 2 * i + 1;
        k = k + 1;
    }
    for (i = 0; i < N; i++)
        tri[i] = row[i] + k;
#pragma endscop
    long s = 0;
    for (j = 0; j < N; j++)
        s += tri[j] * (j + 1);
    printf("%ld %d\n", s, k);
    return 0;
}
