// Eight calls of a function that is not looked into (it calls itself), each between two statements: thousands of
// dependences, of which those of order are valid anyway.
#include <stdio.h>

static double total;

static double step(double *a, double *b, int i) {
  if (i > 30)
    return step(a, b, i - 30);
  total += a[i];
  a[i] += 1;
  return b[(i + 1) % 32] += a[i];
}

int main(void) {
  static double a[32], b[32];
  for (int i = 0; i < 32; i++)
    b[i] = i % 5;
#pragma scop
  for (int i = 0; i < 32; i++) {
    a[i] = b[i] + 0;
    step(a, b, i);
    a[i] = b[i] + 1;
    step(a, b, i);
    a[i] = b[i] + 2;
    step(a, b, i);
    a[i] = b[i] + 3;
    step(a, b, i);
    a[i] = b[i] + 4;
    step(a, b, i);
    a[i] = b[i] + 5;
    step(a, b, i);
    a[i] = b[i] + 6;
    step(a, b, i);
    a[i] = b[i] + 7;
    step(a, b, i);
  }
#pragma endscop
  for (int i = 0; i < 32; i++)
    printf("%g %g\n", a[i], b[i]);
  printf("%g\n", total);
  return 0;
}
