// stays: kernels do not have `next`
#include <stdio.h>
static double a[50];
static double next(double x)
{
  static const double steps[3] = {1, 2, 4};
  return x + steps[x > 10] * steps[x > 20];
}
static void all(int n)
{
#pragma scop
  for (int i = 0; i < n; i++)
    a[i] = next(a[i]);
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
