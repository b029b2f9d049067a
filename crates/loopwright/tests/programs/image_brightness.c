/* Brightness and contrast of an image stored row by row in one array. */
#include <stdio.h>

#define WIDTH 64
#define HEIGHT 40

static float pixels[WIDTH * HEIGHT];

int main(void)
{
    for (int i = 0; i < WIDTH * HEIGHT; i++)
        pixels[i] = (float)(i % 256) / 256.0f;

    float gain = 1.25f, bias = -0.125f;
#pragma scop
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++)
            pixels[y * WIDTH + x] = pixels[y * WIDTH + x] * gain + bias;
#pragma endscop

    double sum = 0;
    for (int i = 0; i < WIDTH * HEIGHT; i++)
        sum += pixels[i] * (i % 13);
    printf("%.9g\n", sum);
    return 0;
}
