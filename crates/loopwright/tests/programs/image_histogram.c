/* A histogram of grey values: the place that is counted up depends on data. */
#include <stdio.h>

#define N 900

static unsigned char px[N];
static int hist[256];

int main(void)
{
    int i;
    for (i = 0; i < N; i++)
        px[i] = (unsigned char)(i * i % 256);
#pragma scop
    for (i = 0; i < 256; i++)
        hist[i] = 0;
    for (i = 0; i < N; i++)
        hist[px[i]]++;
#pragma endscop
    long s = 0;
    for (i = 0; i < 256; i++)
        s = s * 5 % 1000007 + hist[i];
    printf("%ld\n", s);
    return 0;
}
