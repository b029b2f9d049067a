// stays: elements of `p` have the type `struct point`
#include <stdio.h>
struct point { double x, y; };
static struct point p[10], q[10];
static void copy(int n)
{
#pragma scop
  for (int i = 0; i < n; i++)
    p[i] = q[i];
#pragma endscop
}
int main(void)
{
  for (int i = 0; i < 10; i++)
    q[i].x = i, q[i].y = -i;
  copy(10);
  for (int i = 0; i < 10; i++)
    printf("%a %a\n", p[i].x, p[i].y);
  return 0;
}
