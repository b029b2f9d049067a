/* A 3 x 3 box blur of a grey image; the border is copied. */
#include <stdio.h>

#define W 61
#define H 47

static unsigned char in[H][W], out[H][W];

int main(void)
{
    int x, y;

    for (y = 0; y < H; y++)
        for (x = 0; x < W; x++)
            in[y][x] = (unsigned char)((x * 13 + y * 7 + x * y) % 251);

#pragma scop
    for (y = 0; y < H; y++)
        for (x = 0; x < W; x++) {
            if (x == 0 || y == 0 || x == W - 1 || y == H - 1)
                out[y][x] = in[y][x];
            else
                out[y][x] = (in[y - 1][x - 1] + in[y - 1][x] + in[y - 1][x + 1] +
                             in[y][x - 1] + in[y][x] + in[y][x + 1] +
                             in[y + 1][x - 1] + in[y + 1][x] + in[y + 1][x + 1]) / 9;
        }
#pragma endscop

    unsigned long sum = 0;
    for (y = 0; y < H; y++)
        for (x = 0; x < W; x++)
            sum = sum * 31 + out[y][x];
    printf("%lu\n", sum);
    return 0;
}
