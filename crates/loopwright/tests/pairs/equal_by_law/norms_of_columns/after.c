#include <math.h>
void f(int m, int n, double A[m][n], double Q[m][n]) {
#pragma scop
  double even[n], odd[n];
  for (int k = 0; k < n; k++) {
    even[k] = 0;
    odd[k] = 0;
  }
  for (int i = 0; i < m; i++)
    for (int k = 0; k < n; k++)
      if (i % 2 == 0)
        even[k] += A[i][k] * A[i][k];
      else
        odd[k] += A[i][k] * A[i][k];
  for (int k = 0; k < n; k++)
    even[k] += odd[k];
  for (int i = 0; i < m; i++)
    for (int k = 0; k < n; k++)
      Q[i][k] = A[i][k] / sqrt(even[k]);
#pragma endscop
}
