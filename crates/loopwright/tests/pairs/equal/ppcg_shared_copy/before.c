void f(int n, double *A, double *B) {
#pragma scop
  for (int i = 0; i < n; i++)
    B[i] = A[i] + A[i] * 0.5;
#pragma endscop
}
