/* A ring: neighbours across the ends by conditions. */
#include <stdio.h>

#define N 90

static double cur[N], next[N];

int main(void)
{
    for (int i = 0; i < N; i++)
        cur[i] = i % 10;
#pragma scop
    for (int t = 0; t < 20; t++) {
        for (int i = 0; i < N; i++) {
            int left = i == 0 ? N - 1 : i - 1;
            int right = i == N - 1 ? 0 : i + 1;
            next[i] = 0.5 * cur[i] + 0.25 * (cur[left] + cur[right]);
        }
        for (int i = 0; i < N; i++)
            cur[i] = next[i];
    }
#pragma endscop
    double s = 0;
    for (int i = 0; i < N; i++)
        s += cur[i] * (i % 7);
    printf("%.17g\n", s);
    return 0;
}
