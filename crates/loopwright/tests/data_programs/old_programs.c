// What older programs write: parameters that are declared after their list, functions without a type for their results,
// words of headers as names; ranges of `case`, an extension of GNU C.
#include <stdio.h>

double x[100], y[100], m[40][40];
int counts[100];

double sum(a, n) double *a; { double s = 0; int i; for (i = 0; i < n; i++) s += a[i]; return s; }

scale(a, b, n, factor)
double *restrict a, b[];
int n;
float factor;
{
  int i;
#pragma scop
  for (i = 0; i < n; i++)
    a[i] = factor * b[i] + i;
  for (i = 1; i < n; i++)
    a[i] += sum(b, 3) * 0.5;
#pragma endscop
  return i;
}

static int flags(int n, int true, int false) {
#pragma scop
  for (int i = 0; i < n; i++) {
    if (true)
      counts[i] = true * 3;
    if (false)
      counts[i] += i;
  }
#pragma endscop
  return true;
}

void kinds(int n) {
#pragma scop
  for (int i = 0; i < n; i++) {
    switch (i % 9) {
    case 1 ... 5:
      counts[i] += 2;
      break;
    case 7:
      counts[i] = 1;
    default:
      counts[i] += 100;
    }
  }
  for (int i = 2; i < n; i += 3) {
    if (i > 2 * n / 3)
      break;
    counts[i] -= i;
  }
#pragma endscop
}

main(argc, argv)
char **argv;
{
  int i;
  for (i = 0; i < 100; i++)
    y[i] = i * 0.25;
  printf("%d ", scale(x, y, 90, 1.5f));
  printf("%d ", flags(80, 5, 0));
  printf("%d\n", flags(40, 0, 7));
  kinds(77);
  for (i = 0; i < 100; i++)
    printf("%g %d\n", x[i], counts[i]);
  return 0;
}
