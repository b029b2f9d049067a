/* The sieve of Eratosthenes. */
#include <stdio.h>

#define N 500

static char composite[N];

int main(void)
{
    int i, j, count = 0;
#pragma scop
    for (i = 2; i < N; i++)
        if (!composite[i])
            for (j = 2 * i; j < N; j += i)
                composite[j] = 1;
#pragma endscop
    for (i = 2; i < N; i++)
        count += !composite[i];
    printf("%d\n", count);
    return 0;
}
