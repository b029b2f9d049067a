/* A matrix product over pointers to rows in one block, as libraries have it. */
#include <stdio.h>
#include <stdlib.h>

static void product(int n, const double *restrict a, const double *restrict b, double *restrict c)
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double sum = 0.0;
            for (int k = 0; k < n; k++)
                sum += a[i * n + k] * b[k * n + j];
            c[i * n + j] = sum;
        }
#pragma endscop
}

int main(void)
{
    int n = 30;
    double *a = malloc(sizeof(double) * n * n);
    double *b = malloc(sizeof(double) * n * n);
    double *c = malloc(sizeof(double) * n * n);
    if (!a || !b || !c)
        return 1;
    for (int i = 0; i < n * n; i++) {
        a[i] = i % 9 - 4;
        b[i] = i % 13 * 0.5;
    }
    product(n, a, b, c);
    double s = 0;
    for (int i = 0; i < n * n; i++)
        s += c[i] * (i % 17);
    printf("%.17g\n", s);
    free(a);
    free(b);
    free(c);
    return 0;
}
