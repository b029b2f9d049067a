/* Gathering through a permutation, and its inverse. */
#include <stdio.h>

#define N 97

static int perm[N], inv[N];
static double a[N], b[N];

int main(void)
{
    for (int i = 0; i < N; i++) {
        perm[i] = i * 31 % N;
        a[i] = i * 0.25;
    }
#pragma scop
    for (int i = 0; i < N; i++)
        b[i] = a[perm[i]];
    for (int i = 0; i < N; i++)
        inv[perm[i]] = i;
#pragma endscop
    double s = 0;
    for (int i = 0; i < N; i++)
        s += b[i] * inv[i];
    printf("%.17g\n", s);
    return 0;
}
