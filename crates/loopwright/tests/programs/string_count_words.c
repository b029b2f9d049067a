/* Words of a text, with a flag that is carried from letter to letter. */
#include <stdio.h>
#include <string.h>

int main(void)
{
    const char text[] = "one  two three   four five";
    int n = (int)strlen(text), words = 0, inside = 0;
#pragma scop
    for (int i = 0; i < n; i++) {
        if (text[i] == ' ') {
            inside = 0;
        } else if (!inside) {
            inside = 1;
            words++;
        }
    }
#pragma endscop
    printf("%d\n", words);
    return 0;
}
