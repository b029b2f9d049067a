/* A running sum, and one of squares. */
#include <stdio.h>

#define N 128

static long in[N], sum[N], squares[N + 1];

int main(void)
{
    int i;
    for (i = 0; i < N; i++)
        in[i] = i * 7 % 19;
#pragma scop
    sum[0] = in[0];
    for (i = 1; i < N; i++)
        sum[i] = sum[i - 1] + in[i];
    squares[0] = 0;
    for (i = 0; i < N; i++)
        squares[i + 1] = squares[i] + in[i] * in[i];
#pragma endscop
    printf("%ld %ld\n", sum[N - 1], squares[N]);
    return 0;
}
