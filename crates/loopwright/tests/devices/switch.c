// launches 1, copies in 2 (
// Statements that choose by cases.
#include <stdio.h>
static int kinds[80];
static double a[80];
static void all(int n)
{
#pragma scop
  for (int i = 0; i < n; i++)
    switch (kinds[i]) {
    case 1:
      a[i] += 0.5;
      break;
    case 7:
      a[i] *= 2;
    default:
      a[i] -= 3;
    }
#pragma endscop
}
int main(void)
{
  for (int i = 0; i < 80; i++)
    kinds[i] = i % 9, a[i] = i / 7.0;
  all(80);
  for (int i = 0; i < 80; i++)
    printf("%a\n", a[i]);
  return 0;
}
