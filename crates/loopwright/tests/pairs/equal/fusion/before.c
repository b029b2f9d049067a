void f(int n, double *A, double *B, double *C) {
#pragma scop
  for (int i = 0; i < n; i++)
    A[i] = 2 * B[i];
  for (int i = 0; i < n; i++)
    C[i] = A[i] + 1;
#pragma endscop
}
