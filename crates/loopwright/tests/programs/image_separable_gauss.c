/* A separable filter: along rows into a scratch image, then along columns. */
#include <stdio.h>

#define H 40
#define W 56
#define R 2

static float img[H][W], tmp[H][W], res[H][W];
static const float k[2 * R + 1] = { 0.0625f, 0.25f, 0.375f, 0.25f, 0.0625f };

int main(void)
{
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++)
            img[y][x] = (float)((x ^ y) % 23);
#pragma scop
    for (int y = 0; y < H; y++)
        for (int x = R; x < W - R; x++) {
            tmp[y][x] = 0.0f;
            for (int d = -R; d <= R; d++)
                tmp[y][x] += img[y][x + d] * k[d + R];
        }
    for (int y = R; y < H - R; y++)
        for (int x = R; x < W - R; x++) {
            res[y][x] = 0.0f;
            for (int d = -R; d <= R; d++)
                res[y][x] += tmp[y + d][x] * k[d + R];
        }
#pragma endscop
    double s = 0;
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++)
            s += res[y][x] * (x + y);
    printf("%.9g\n", s);
    return 0;
}
