/* Two blocks declare arrays of one name, and their loops become one: variables for their elements had one name too. */
#include <stdio.h>

static void f(int n, float c[n])
{
#pragma scop
  for (int i = 0; i < n; i++) {
    float b[n][n];
    b[i][i] = c[i] + 1;
    c[i] = b[i][i];
  }
  for (int i = 0; i < n; i++) {
    float b[n][n];
    b[i][i] = c[i] * 2;
    c[i] = b[i][i];
  }
#pragma endscop
}

int main(void)
{
  float c[20];
  for (int i = 0; i < 20; i++)
    c[i] = i;
  f(20, c);
  for (int i = 0; i < 20; i++)
    printf("%g\n", c[i]);
  return 0;
}
