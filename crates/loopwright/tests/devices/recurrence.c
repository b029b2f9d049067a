// stays: no loop has independent iterations
#include <stdio.h>
static double a[50];
static void all(int n)
{
#pragma scop
  for (int i = 1; i < n; i++)
    a[i] = 0.5 * a[i - 1] + a[i];
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
