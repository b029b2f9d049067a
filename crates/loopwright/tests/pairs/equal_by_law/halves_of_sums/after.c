void f(int n, double *restrict A, double *restrict B, double *restrict R) {
#pragma scop
  double p[8];
  for (int t = 0; t < 8; t++)
    p[t] = 0;
  for (int c = 0; c < (n + 7) / 8; c++)
    for (int t = 0; t < 8; t++)
      if (8 * c + t < n)
        p[t] += A[8 * c + t] * B[8 * c + t];
  for (int t = 0; t < 4; t++)
    p[t] += p[t + 4];
  for (int t = 0; t < 2; t++)
    p[t] += p[t + 2];
  R[0] = p[0] + p[1];
#pragma endscop
}
