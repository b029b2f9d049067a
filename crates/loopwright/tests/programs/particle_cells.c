/* Particles are counted by cells. */
#include <stdio.h>

#define N 300
#define CELLS 16

static double x[N];
static int count[CELLS];

int main(void)
{
    for (int i = 0; i < N; i++)
        x[i] = (i * 29 % 307) / 307.0;
#pragma scop
    for (int i = 0; i < N; i++) {
        int c = (int)(x[i] * CELLS);
        count[c] += 1;
    }
#pragma endscop
    long s = 0;
    for (int c = 0; c < CELLS; c++)
        s = s * 11 + count[c];
    printf("%ld\n", s);
    return 0;
}
