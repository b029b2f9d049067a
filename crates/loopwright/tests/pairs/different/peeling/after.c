void f(int n, double *A, double *B) {
#pragma scop
  if (n > 1)
    A[0] = B[0];
  for (int i = 1; i < n; i++)
    A[i] = A[i - 1] + B[i];
#pragma endscop
}
