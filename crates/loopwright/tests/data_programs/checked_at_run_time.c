/* Where unsigned values wrap around, the region runs as it is written. */
#include <limits.h>
#include <stdio.h>
#define SIZE 2000
#define MIN(a, b) ((a) < (b) ? (a) : (b))
static int a[SIZE];
static void beyond(unsigned n, unsigned m)
{
#pragma scop
  for (unsigned i = 0; i < MIN(n + 1, m); i++) a[i] = 3 * (int) i + 1;
#pragma endscop
}
static void below(unsigned m, unsigned long k)
{
#pragma scop
  for (int i = 0; i < SIZE; i++) /* a comment */
    if ((unsigned) i < m - 1) a[i] = 2 * i + 5;
  for (unsigned long i = k - 3; i < 7; i++) a[i] += 3;
#pragma endscop
}
static void with_jumps(unsigned n)
{
#pragma scop
  for (int i = 0; i < (n < 5 ? n - 2 : 20); i++) {
    int t = 0;
    if (i > 9) break;
    while (t < a[i]) { t++; if (t == 7) goto out; }
  out:
    a[i] = t;
  }
#pragma endscop
}
static void show(void)
{
  unsigned long sum = 0;
  for (int i = 0; i < SIZE; i++) {
    sum = 31 * sum + (unsigned) a[i];
    a[i] = i % 11;
  }
  printf("%lu\n", sum);
}
int main(void)
{
  static const unsigned values[] = {0, 1, 2, 3, 7, 33, INT_MAX, INT_MAX + 1u, UINT_MAX - 1, UINT_MAX};
  for (unsigned k = 0; k < sizeof values / sizeof *values; k++) {
    beyond(values[k], 1000);
    show();
    below(values[k], values[k]);
    show();
    with_jumps(values[k]);
    show();
  }
  return 0;
}
