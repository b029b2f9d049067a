void f(int n, double *A, double *B) {
#pragma scop
  for (int i = 1; i < n; i++)
    A[i] = A[i - 1] * 0.5;
  for (int i = 1; i < n; i++)
    B[i] = B[i] + A[i];
#pragma endscop
}
