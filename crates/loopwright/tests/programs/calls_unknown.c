/* A function that is defined elsewhere in the file and keeps a counter. */
#include <stdio.h>

#define N 30

static int calls;
static int a[N];

static int next_value(int i)
{
    calls++;
    return i * calls;
}

int main(void)
{
#pragma scop
    for (int i = 0; i < N; i++)
        a[i] = next_value(i);
#pragma endscop
    long s = 0;
    for (int i = 0; i < N; i++)
        s += a[i];
    printf("%ld %d\n", s, calls);
    return 0;
}
