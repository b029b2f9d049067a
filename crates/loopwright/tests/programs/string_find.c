/* Finding a character: the loop ends early. */
#include <stdio.h>

int main(void)
{
    char line[] = "loops that end before their bounds say";
    int at = -1, i;
#pragma scop
    for (i = 0; line[i] != '\0'; i++) {
        if (line[i] == 'b') {
            at = i;
            break;
        }
    }
#pragma endscop
    printf("%d\n", at);
    return 0;
}
