// stays: is a member of a structure that is not reached by names and one subscript
#include <stdio.h>
struct point { double x, y; };
static struct point p[10][20];
static void move(int n)
{
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = 0; j < 20; j++)
      p[i][j].x = p[i][j].y + 1;
#pragma endscop
}
int main(void)
{
  for (int i = 0; i < 200; i++)
    p[i / 20][i % 20].y = i;
  move(10);
  for (int i = 0; i < 200; i++)
    printf("%a\n", p[i / 20][i % 20].x);
  return 0;
}
