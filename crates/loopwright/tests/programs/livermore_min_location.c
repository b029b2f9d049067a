/* The place of the least value. */
#include <stdio.h>

#define N 200

static double x[N];

int main(void)
{
    int k, m;
    for (k = 0; k < N; k++)
        x[k] = (k * 71 + 13) % 199;
#pragma scop
    m = 0;
    for (k = 1; k < N; k++)
        if (x[k] < x[m])
            m = k;
#pragma endscop
    printf("%d %g\n", m, x[m]);
    return 0;
}
