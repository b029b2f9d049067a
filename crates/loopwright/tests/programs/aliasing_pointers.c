/* Two pointers that may point to the same memory. */
#include <stdio.h>

static void scale(int n, double *to, double *from, double f)
{
#pragma scop
    for (int i = 0; i < n; i++)
        to[i] = from[i] * f;
#pragma endscop
}

int main(void)
{
    static double a[101];
    for (int i = 0; i < 101; i++)
        a[i] = 1 + i % 3;
    scale(100, a + 1, a, 1.01);
    double s = 0;
    for (int i = 0; i < 101; i++)
        s += a[i] * i;
    printf("%.12g\n", s);
    return 0;
}
