/* The values of macros from system headers were left out: `-M_PI + i` became `-+ i`. */
#include <limits.h>
#include <math.h>
#include <stdio.h>
double a[10];
int main(void)
{
  double s = 3;
#pragma scop
  for (int i = 0; i < 10; i++)
    a[i] = -M_PI + i;
  for (int i = 0; i < 10; i++)
    a[i] += s - INT_MAX + M_SQRT2;
#pragma endscop
  for (int i = 0; i < 10; i++)
    printf("%.12g\n", a[i]);
  return 0;
}
