/* All stages: the distance doubles from stage to stage. */
#include <stdio.h>

#define N 32

static double a[N];

int main(void)
{
    for (int i = 0; i < N; i++)
        a[i] = (i * 5) % 11;
#pragma scop
    for (int len = 1; len < N; len *= 2)
        for (int i = 0; i < N; i += 2 * len)
            for (int j = i; j < i + len; j++) {
                double u = a[j], v = a[j + len];
                a[j] = u + v;
                a[j + len] = u - v;
            }
#pragma endscop
    double s = 0;
    for (int i = 0; i < N; i++)
        s += a[i] * (i + 1);
    printf("%.17g\n", s);
    return 0;
}
