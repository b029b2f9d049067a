#include <stdio.h>
/* Unsigned values of iterators that wrap around, and unsigned iterators that step over the end. */
static void wrapped(int n, int *restrict a, int *restrict b)
{
#pragma scop
  for (int i = 0; i < n; i++) a[(unsigned)(i - 5) % 64] = i;
  for (int i = 0; i < n; i++)
    if ((unsigned)(i - 7) < 20u) b[i] += 3;
  for (int i = 0; i < n; i++) b[(unsigned)(i - 9) / 1000000000u] += i;
#pragma endscop
}
static void stepped(int *restrict a)
{
#pragma scop
  for (unsigned char i = 0; i != 16; i += 65) a[i] += 5;
#pragma endscop
}
int main(void)
{
  static int a[256], b[64];
  wrapped(40, a, b);
  stepped(a);
  for (int i = 0; i < 256; i++) printf("%d ", a[i]);
  for (int i = 0; i < 64; i++) printf("%d ", b[i]);
  printf("\n");
  return 0;
}
