/* A median of three along rows, by minimum and maximum of pairs. */
#include <stdio.h>

#define ROWS 30
#define COLS 80
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((a) > (b) ? (a) : (b))

static int in[ROWS][COLS], out[ROWS][COLS];

int main(void)
{
    for (int r = 0; r < ROWS; r++)
        for (int c = 0; c < COLS; c++)
            in[r][c] = (r * 37 + c * 101) % 64;
#pragma scop
    for (int r = 0; r < ROWS; r++)
        for (int c = 1; c < COLS - 1; c++)
            out[r][c] = MAX(MIN(in[r][c - 1], in[r][c]),
                            MIN(MAX(in[r][c - 1], in[r][c]), in[r][c + 1]));
#pragma endscop
    long s = 0;
    for (int r = 0; r < ROWS; r++)
        for (int c = 0; c < COLS; c++)
            s += out[r][c] * (r + c);
    printf("%ld\n", s);
    return 0;
}
