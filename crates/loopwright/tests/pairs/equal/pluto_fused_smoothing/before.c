void f(int n, double *A, double *B, double *C) {
#pragma scop
  for (int i = 1; i < n - 1; i++)
    B[i] = (A[i - 1] + A[i] + A[i + 1]) / 3;
  for (int i = 2; i < n - 2; i++)
    C[i] = (B[i - 1] + B[i] + B[i + 1]) / 3;
#pragma endscop
}
