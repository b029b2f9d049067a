void f(int n, double *restrict A, double *restrict B, double *restrict R) {
#pragma scop
  double s = 0;
  for (int i = 0; i < n; i++)
    s += A[i] * B[i];
  R[0] = s;
#pragma endscop
}
