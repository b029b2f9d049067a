// stays: is a member of a structure
#include <stdio.h>
struct point { double x, y; };
static struct point p[50];
static void move(int n)
{
#pragma scop
  for (int i = 0; i < n; i++)
    p[i].x = p[i].y + 1;
#pragma endscop
}
int main(void)
{
  for (int i = 0; i < 50; i++)
    p[i].y = i;
  move(50);
  for (int i = 0; i < 50; i++)
    printf("%a\n", p[i].x);
  return 0;
}
