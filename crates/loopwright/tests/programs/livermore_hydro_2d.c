/* Two-dimensional explicit hydrodynamics: three sweeps over the inner points. */
#include <stdio.h>

#define JN 30
#define KN 7

static double za[KN][JN], zb[KN][JN], zp[KN][JN], zq[KN][JN], zr[KN][JN], zm[KN][JN], zu[KN][JN];

int main(void)
{
    double t = 0.0037, s = 0.0041, sum = 0;
    for (int k = 0; k < KN; k++)
        for (int j = 0; j < JN; j++) {
            zp[k][j] = (k + j) % 5 + 1;
            zq[k][j] = (k * j) % 4 + 1;
            zr[k][j] = 1 + k % 2;
            zm[k][j] = 2 + j % 3;
        }
#pragma scop
    for (int k = 1; k < KN - 1; k++)
        for (int j = 1; j < JN - 1; j++) {
            za[k][j] = (zp[k + 1][j - 1] + zq[k + 1][j - 1] - zp[k][j - 1] - zq[k][j - 1]) *
                       (zr[k][j] + zr[k][j - 1]) / (zm[k][j - 1] + zm[k + 1][j - 1]);
            zb[k][j] = (zp[k][j - 1] + zq[k][j - 1] - zp[k][j] - zq[k][j]) *
                       (zr[k][j] + zr[k - 1][j]) / (zm[k][j] + zm[k][j - 1]);
        }
    for (int k = 1; k < KN - 1; k++)
        for (int j = 1; j < JN - 1; j++)
            zu[k][j] += s * (za[k][j] * (zr[k][j] - zr[k][j + 1]) - zb[k][j] * (zr[k][j] - zr[k - 1][j]));
    for (int k = 1; k < KN - 1; k++)
        for (int j = 1; j < JN - 1; j++)
            zr[k][j] = zr[k][j] + t * zu[k][j];
#pragma endscop
    for (int k = 0; k < KN; k++)
        for (int j = 0; j < JN; j++)
            sum += zr[k][j] * (k + j);
    printf("%.17g\n", sum);
    return 0;
}
