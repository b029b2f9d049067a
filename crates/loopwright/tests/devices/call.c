// stays: kernels do not have `twice`
#include <stdio.h>
static double a[50];
static __attribute__((noinline, const)) double twice(double x) { return 2 * x; }
static void all(int n)
{
#pragma scop
  for (int i = 0; i < n; i++)
    a[i] = twice(a[i]);
#pragma endscop
}
int main(void)
{
  for (int i = 0; i < 50; i++)
    a[i] = i;
  all(50);
  for (int i = 0; i < 50; i++)
    printf("%a\n", a[i]);
  return 0;
}
