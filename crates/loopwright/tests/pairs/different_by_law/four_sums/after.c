void f(int n, double *restrict A, double *restrict B, double *restrict R) {
  int i;
  double s0 = 0, s1 = 0, s2 = 0, s3 = 0;
  for (i = 0; i + 3 < n; i += 4) {
    s0 += A[i] * B[i];
    s1 += A[i + 1] * B[i + 1];
    s2 += A[i + 2] * B[i + 2];
    s3 += A[i + 3] * B[i + 3];
  }
  for (; i < n; i++)
    s0 += A[i] * B[i];
  R[0] = (s0 + s1) + (s2 + s2);
}
