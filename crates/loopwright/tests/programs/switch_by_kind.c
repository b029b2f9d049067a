/* What happens depends on a kind, chosen by switch. */
#include <stdio.h>

#define N 80

static int kind[N];
static double v[N];

int main(void)
{
    for (int i = 0; i < N; i++) {
        kind[i] = i % 4;
        v[i] = i;
    }
#pragma scop
    for (int i = 0; i < N; i++) {
        switch (kind[i]) {
        case 0:
            v[i] = v[i] + 1;
            break;
        case 1:
        case 2:
            v[i] = v[i] * 0.5;
            break;
        default:
            v[i] = -v[i];
        }
    }
#pragma endscop
    double s = 0;
    for (int i = 0; i < N; i++)
        s += v[i] * (i % 9);
    printf("%.17g\n", s);
    return 0;
}
