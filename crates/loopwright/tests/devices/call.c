// launches 1, copies in 1 (400 bytes), copies out 1 (400 bytes)
// Functions of the program that only compute a value are copied, with those that they call.
#include <math.h>
#include <stdio.h>
static double a[50];
static __attribute__((noinline)) double square(const double x) { return x * fabs(x); }
static double power(double x, int n)
{
  double result = 1;
  for (int i = 0; i < n; i++) {
    if (result > 1e6)
      break;
    result *= i % 2 ? x : square(x);
  }
  return result;
}
static void all(int n)
{
#pragma scop
  for (int i = 0; i < n; i++)
    a[i] = power(a[i], i % 5) + square(a[i]) + sqrtf(i);
#pragma endscop
}
int main(void)
{
  for (int i = 0; i < 50; i++)
    a[i] = i - 20;
  all(50);
  for (int i = 0; i < 50; i++)
    printf("%a\n", a[i]);
  return 0;
}
