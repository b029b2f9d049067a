void f(int n, double *restrict A, double *restrict B, double *restrict R) {
#pragma scop
  double p[8];
#pragma omp parallel for
  for (int t = 0; t < 8; t++) {
    p[t] = 0;
    for (int i = t; i < n; i += 8)
      p[t] += A[i] * B[i];
  }
  double s = 0;
  for (int t = 1; t < 8; t++)
    s += p[t];
  R[0] = s;
#pragma endscop
}
