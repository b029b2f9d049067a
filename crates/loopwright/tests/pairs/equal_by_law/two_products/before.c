void f(int n, double *restrict A, double *restrict R) {
#pragma scop
  double p = 1;
  for (int i = 0; i < n; i++)
    p *= A[i];
  R[0] = p;
#pragma endscop
}
