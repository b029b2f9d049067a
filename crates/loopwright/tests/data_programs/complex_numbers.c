// Complex arithmetic, with the imaginary constants of GNU C and those of <complex.h>.
#include <complex.h>
#include <stdio.h>

double _Complex x[64], y[64];
float _Complex z[64];

void combine(int n) {
#pragma scop
  for (int i = 0; i < n; i++) {
    x[i] = i + 2.0i;
    y[i] = x[i] * x[i] + 3.0 * I;
    z[i] = conjf(y[i]) * 2.5if;
  }
  for (int i = 1; i < n; i++) {
    y[i] += y[i - 1] * (0.5 - 1i);
    x[i] = creal(y[i]) + cimag(z[i]) * I + __real__ y[i - 1];
  }
#pragma endscop
}

typedef double _Complex number;

void product(int n, number a[restrict n][n], number b[restrict n][n], number c[restrict n][n]) {
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      c[i][j] = 0;
      for (int k = 0; k < n; k++)
        c[i][j] += a[i][k] * b[k][j];
    }
#pragma endscop
}

int main(void) {
  static double _Complex a[16][16], b[16][16], c[16][16];
  combine(24);
  for (int i = 0; i < 24; i++)
    printf("%g %g %g %g %g\n", creal(x[i]), cimag(x[i]), creal(y[i]), cimag(y[i]), cimagf(z[i]));
  for (int i = 0; i < 16; i++)
    for (int j = 0; j < 16; j++) {
      a[i][j] = i - j * 1.0i;
      b[i][j] = i * j + 2.0i;
    }
  product(16, a, b, c);
  for (int i = 0; i < 16; i++)
    for (int j = 0; j < 16; j++)
      printf("%g %g\n", creal(c[i][j]), cimag(c[i][j]));
  return 0;
}
