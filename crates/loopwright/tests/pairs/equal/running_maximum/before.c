void f(int n, double *A, double *m) {
#pragma scop
  m[0] = A[0];
  for (int i = 1; i < n; i++)
    if (A[i] > m[0])
      m[0] = A[i];
#pragma endscop
}
