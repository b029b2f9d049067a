#include <math.h>
void f(int n, double *restrict A, double *restrict R) {
#pragma scop
  double p[4];
#pragma omp parallel for
  for (int t = 0; t < 4; t++) {
    p[t] = A[0];
    for (int i = t; i < n; i += 4)
      p[t] = fmax(p[t], A[i]);
  }
  double low = p[0] > p[1] ? p[0] : p[1];
  double high = p[2] < p[3] ? p[2] : p[3];
  R[0] = low > high ? low : high;
#pragma endscop
}
