void f(int n, double *A, double *B) {
#pragma scop
  for (int i = 1; i < n; i++) {
    B[i] = B[i - 1] * 2 - 1;
    A[i] = B[i - 1] * 2;
  }
#pragma endscop
}
