/* Every pixel of the small image is the mean of four of the large one. */
#include <stdio.h>

#define N 32

static double big[2 * N][2 * N], small_[N][N];

int main(void)
{
    for (int i = 0; i < 2 * N; i++)
        for (int j = 0; j < 2 * N; j++)
            big[i][j] = (i * 3 + j * 5) % 19 * 0.5;
#pragma scop
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            small_[i][j] = 0.25 * (big[2 * i][2 * j] + big[2 * i][2 * j + 1] +
                                   big[2 * i + 1][2 * j] + big[2 * i + 1][2 * j + 1]);
#pragma endscop
    double s = 0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            s += small_[i][j] * (i - 2 * j);
    printf("%.17g\n", s);
    return 0;
}
