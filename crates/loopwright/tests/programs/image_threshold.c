/* Thresholding: the value decides, not the place. */
#include <stdio.h>

#define N 70

static int a[N][N], b[N][N];

int main(void)
{
    int i, j, t = 40;

    for (i = 0; i < N; i++)
        for (j = 0; j < N; j++)
            a[i][j] = (i * 11 + j * 29) % 97;

#pragma scop
    for (i = 0; i < N; i++)
        for (j = 0; j < N; j++)
            if (a[i][j] > t)
                b[i][j] = 255;
            else
                b[i][j] = 0;
#pragma endscop

    long count = 0;
    for (i = 0; i < N; i++)
        for (j = 0; j < N; j++)
            count += b[i][j] * (i + 2 * j);
    printf("%ld\n", count);
    return 0;
}
