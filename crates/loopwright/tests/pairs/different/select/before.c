void f(int n, double *A, double *B) {
#pragma scop
  for (int i = 0; i < n; i++)
    if (A[i] > B[i])
      A[i] = B[i];
#pragma endscop
}
