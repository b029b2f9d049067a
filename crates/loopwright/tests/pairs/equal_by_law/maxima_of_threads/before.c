void f(int n, double *restrict A, double *restrict R) {
#pragma scop
  double m = A[0];
  for (int i = 1; i < n; i++)
    if (A[i] > m)
      m = A[i];
  R[0] = m;
#pragma endscop
}
