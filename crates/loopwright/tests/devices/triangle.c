// copies out 2 (
// Triangular and imperfect nests, a scalar of each iteration, a sum that the program sees, functions of float, conditions on data.
#include <math.h>
#include <stdio.h>
static float L[61][61], x[61], y[61];
static int sign[61];
static void triangle(int n)
{
#pragma scop
  for (int i = 0; i < n; i++) {
    float root = sqrtf(fabsf(x[i])) + sqrt(x[i] * x[i]);
    for (int j = 0; j <= i; j++)
      L[i][j] = root * x[j] + L[i][j] / 3;
    if (x[i] > 0.5f)
      sign[i] = 1;
    else
      sign[i] = -1;
  }
#pragma endscop
}
int main(void)
{
  for (int i = 0; i < 61; i++) {
    x[i] = (i % 7 - 3) / 2.0f;
    for (int j = 0; j < 61; j++)
      L[i][j] = i * j % 13 / 3.0f;
  }
  triangle(61);
  for (int i = 0; i < 61; i++)
    for (int j = 0; j < 61; j++)
      printf("%a %d\n", L[i][j], sign[i]);
  return 0;
}
