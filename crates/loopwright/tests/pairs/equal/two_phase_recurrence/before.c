void f(int n, double *A, double *B) {
#pragma scop
  for (int i = 1; i < n; i++) {
    A[i] = B[i - 1] * 2;
    B[i] = A[i] - 1;
  }
#pragma endscop
}
