void f(int n, double *restrict A, double *restrict B) {
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      A[i] += B[j];
#pragma endscop
}
