/* A string turned around, and its letters made capitals. */
#include <stdio.h>

#define LEN 52

static char text[LEN + 1], back[LEN + 1];

int main(void)
{
    int i;
    for (i = 0; i < LEN; i++)
        text[i] = (char)('a' + i * 7 % 26);
    text[LEN] = '\0';
#pragma scop
    for (i = 0; i < LEN; i++)
        back[LEN - 1 - i] = (char)(text[i] - 'a' + 'A');
    back[LEN] = '\0';
#pragma endscop
    puts(back);
    return 0;
}
