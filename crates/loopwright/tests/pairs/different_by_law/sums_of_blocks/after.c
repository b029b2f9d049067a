void f(int n, double *restrict A, double *restrict B, double *restrict R) {
#pragma scop
  double p[n];
#pragma omp parallel for
  for (int b = 0; b < (n + 63) / 64; b++) {
    p[b] = 0;
    for (int i = 64 * b; i < n && i < 64 * b + 63; i++)
      p[b] += A[i] * B[i];
  }
  R[0] = 0;
  for (int b = 0; b < (n + 63) / 64; b++)
    R[0] += p[b];
#pragma endscop
}
