void f(int n, double *restrict A, double *restrict R) {
#pragma scop
  double p = 1, q = 1;
  for (int i = 0; i < n; i += 2)
    p *= A[i];
  for (int i = n - 1 - n % 2; i > 0; i -= 2)
    q *= A[i];
  R[0] = q * p;
#pragma endscop
}
