/* Counts of pairs of values. */
#include <stdio.h>

#define N 400
#define BINS 8

static int u[N], v[N], joint[BINS][BINS];

int main(void)
{
    int i;
    for (i = 0; i < N; i++) {
        u[i] = i * 3 % BINS;
        v[i] = i * i % BINS;
    }
#pragma scop
    for (i = 0; i < N; i++)
        joint[u[i]][v[i]] = joint[u[i]][v[i]] + 1;
#pragma endscop
    long s = 0;
    for (i = 0; i < BINS * BINS; i++)
        s = s * 3 % 1000003 + joint[i / BINS][i % BINS];
    printf("%ld\n", s);
    return 0;
}
