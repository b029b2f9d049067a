/* The table of a cyclic redundancy check, made by shifts. */
#include <stdio.h>

static unsigned int crc[256];

int main(void)
{
#pragma scop
    for (int n = 0; n < 256; n++) {
        unsigned int c = (unsigned int)n;
        for (int k = 0; k < 8; k++) {
            if (c & 1)
                c = 0xedb88320u ^ (c >> 1);
            else
                c = c >> 1;
        }
        crc[n] = c;
    }
#pragma endscop
    unsigned int s = 0;
    for (int n = 0; n < 256; n++)
        s ^= crc[n] * (unsigned int)(n + 1);
    printf("%u\n", s);
    return 0;
}
