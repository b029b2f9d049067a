/* A write of one element hid earlier writes of the others from statements that read several. */
#include <stdio.h>
#include <string.h>
double A[40], s[40];
int at = 5;
static double sum(const double *a)
{
  double t = 0;
  for (int i = 0; i < 40; i++)
    t += a[i] * i;
  return t;
}
int main(void)
{
#pragma scop
  for (int i = 0; i < 40; i++)
    A[i] = i;
  for (int j = 0; j < 40; j++) {
    A[j] = 7 * j;
    s[j] = sum(A);
    A[0] = s[j] + A[at * at];
  }
  for (int i = 0; i < 30; i++)
    memset(&A[i], 0, 3 * sizeof(double));
#pragma endscop
  for (int i = 0; i < 40; i++)
    printf("%g %g\n", s[i], A[i]);
  return 0;
}
