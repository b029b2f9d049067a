/* The edit distance of two words: each cell needs three neighbours, and a comparison of characters. */
#include <stdio.h>
#include <string.h>

#define MAXLEN 64

static int d[MAXLEN][MAXLEN];

static int min3(int a, int b, int c)
{
    int m = a < b ? a : b;
    return m < c ? m : c;
}

int main(void)
{
    char s[] = "polyhedral model of programs";
    char t[] = "polynomial modes of problems";
    int n = (int)strlen(s), m = (int)strlen(t);
    int i, j;
#pragma scop
    for (i = 0; i <= n; i++)
        d[i][0] = i;
    for (j = 0; j <= m; j++)
        d[0][j] = j;
    for (i = 1; i <= n; i++)
        for (j = 1; j <= m; j++)
            d[i][j] = min3(d[i - 1][j] + 1, d[i][j - 1] + 1,
                           d[i - 1][j - 1] + (s[i - 1] != t[j - 1]));
#pragma endscop
    printf("%d\n", d[n][m]);
    return 0;
}
