#include <math.h>
void f(int m, int n, double A[m][n], double Q[m][n]) {
#pragma scop
  for (int k = 0; k < n; k++) {
    double norm = 0;
    for (int i = 0; i < m; i++)
      norm += A[i][k] * A[i][k];
    for (int i = 0; i < m; i++)
      Q[i][k] = A[i][k] / sqrt(norm);
  }
#pragma endscop
}
