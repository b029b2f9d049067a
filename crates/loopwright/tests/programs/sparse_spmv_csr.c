/* A sparse matrix in compressed rows times a vector. */
#include <stdio.h>

#define ROWS 50
#define PER_ROW 4

static int rowptr[ROWS + 1], col[ROWS * PER_ROW];
static double val[ROWS * PER_ROW], x[ROWS], y[ROWS];

int main(void)
{
    int i, j;
    for (i = 0; i <= ROWS; i++)
        rowptr[i] = i * PER_ROW;
    for (i = 0; i < ROWS * PER_ROW; i++) {
        col[i] = i * 13 % ROWS;
        val[i] = 1.0 + i % 5;
    }
    for (i = 0; i < ROWS; i++)
        x[i] = i % 8;
#pragma scop
    for (i = 0; i < ROWS; i++) {
        y[i] = 0.0;
        for (j = rowptr[i]; j < rowptr[i + 1]; j++)
            y[i] += val[j] * x[col[j]];
    }
#pragma endscop
    double s = 0;
    for (i = 0; i < ROWS; i++)
        s += y[i] * (i + 1);
    printf("%.17g\n", s);
    return 0;
}
