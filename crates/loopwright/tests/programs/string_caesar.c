/* A cipher with a table. */
#include <stdio.h>

#define N 64

static unsigned char msg[N], enc[N], table[256];

int main(void)
{
    for (int i = 0; i < N; i++)
        msg[i] = (unsigned char)(32 + i % 90);
#pragma scop
    for (int c = 0; c < 256; c++)
        table[c] = (unsigned char)((c + 13) % 256);
    for (int i = 0; i < N; i++)
        enc[i] = table[msg[i]];
#pragma endscop
    unsigned s = 0;
    for (int i = 0; i < N; i++)
        s = s * 17 + enc[i];
    printf("%u\n", s);
    return 0;
}
