/* Prefix sums in blocks: inside each, over their totals, and together. */
#include <stdio.h>

#define B 8
#define L 16

static int data[B][L], total[B], offset[B];

int main(void)
{
    for (int b = 0; b < B; b++)
        for (int i = 0; i < L; i++)
            data[b][i] = (b * 3 + i * 5) % 10;
#pragma scop
    for (int b = 0; b < B; b++) {
        for (int i = 1; i < L; i++)
            data[b][i] += data[b][i - 1];
        total[b] = data[b][L - 1];
    }
    offset[0] = 0;
    for (int b = 1; b < B; b++)
        offset[b] = offset[b - 1] + total[b - 1];
    for (int b = 0; b < B; b++)
        for (int i = 0; i < L; i++)
            data[b][i] += offset[b];
#pragma endscop
    long s = 0;
    for (int b = 0; b < B; b++)
        for (int i = 0; i < L; i++)
            s += (long)data[b][i] * (b + i);
    printf("%ld\n", s);
    return 0;
}
