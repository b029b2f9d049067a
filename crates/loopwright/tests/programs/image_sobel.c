/* Sobel gradients with the squared magnitude clamped to a byte. */
#include <stdio.h>

#define N 50

static int img[N][N];
static int mag[N][N];

static void sobel(int n, int src[N][N], int dst[N][N])
{
#pragma scop
    for (int i = 1; i < n - 1; i++) {
        for (int j = 1; j < n - 1; j++) {
            int gx, gy;
            gx = src[i - 1][j + 1] + 2 * src[i][j + 1] + src[i + 1][j + 1]
               - src[i - 1][j - 1] - 2 * src[i][j - 1] - src[i + 1][j - 1];
            gy = src[i + 1][j - 1] + 2 * src[i + 1][j] + src[i + 1][j + 1]
               - src[i - 1][j - 1] - 2 * src[i - 1][j] - src[i - 1][j + 1];
            dst[i][j] = gx * gx + gy * gy > 255 ? 255 : gx * gx + gy * gy;
        }
    }
#pragma endscop
}

int main(void)
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            img[i][j] = (i * i + 3 * j) % 17;
    sobel(N, img, mag);
    long sum = 0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            sum = (sum * 7 + mag[i][j]) % 1000003;
    printf("%ld\n", sum);
    return 0;
}
