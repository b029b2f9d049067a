void f(int n, double *A, double *B) {
#pragma scop
  for (int i = 1; i < n; i++) {
    A[i] = A[i - 1] * 0.5;
    B[i] = B[i] + A[i];
  }
#pragma endscop
}
