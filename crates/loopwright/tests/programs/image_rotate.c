/* Turning an image by a quarter, and mirroring it. */
#include <stdio.h>

enum { ROWS = 33, COLS = 58 };

static short src[ROWS][COLS], turned[COLS][ROWS], mirrored[ROWS][COLS];

int main(void)
{
    for (int r = 0; r < ROWS; ++r)
        for (int c = 0; c < COLS; ++c)
            src[r][c] = (short)(r * COLS + c);
#pragma scop
    for (int r = 0; r < ROWS; ++r)
        for (int c = 0; c < COLS; ++c) {
            turned[c][ROWS - 1 - r] = src[r][c];
            mirrored[r][COLS - 1 - c] = src[r][c];
        }
#pragma endscop
    long sum = 0;
    for (int r = 0; r < ROWS; ++r)
        for (int c = 0; c < COLS; ++c)
            sum += (long)turned[c][r] * (r + 1) - (long)mirrored[r][c] * (c + 3);
    printf("%ld\n", sum);
    return 0;
}
