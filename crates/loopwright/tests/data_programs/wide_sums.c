// What is computed with parameters of type `int` may be no `int`.
#include <stdio.h>

long total(int n, long k) {
#pragma scop
  for (int i = 0; i < n; i++)
    k += 2000;
#pragma endscop
  return k;
}

const char *walk(int n, const char *p) {
#pragma scop
  for (int i = 0; i < n; i++)
    p += 3000;
#pragma endscop
  return p;
}

double values[64];

// The second loop runs from `4 * n`.
void shifted(int n, long m) {
#pragma scop
  for (long i = 0; i < m; i++)
    if (i + n < 8)
      values[i] += 1;
  for (long i = 0; i < m; i++)
    if (i + 2l * n >= 4l * n)
      values[i % 64] += 2;
#pragma endscop
}

int main(void) {
  printf("%ld\n", total(2000000, 5));
  printf("%ld\n", total(-3, 5));
  printf("%d\n", (unsigned long)walk(1500000, 0) == 4500000000ul);
  shifted(1200000000, 70);
  shifted(-2, 70);
  for (int i = 0; i < 64; i++)
    printf("%g\n", values[i]);
  return 0;
}
