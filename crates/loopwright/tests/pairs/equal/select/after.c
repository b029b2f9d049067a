void f(int n, double *A, double *B) {
#pragma scop
  for (int i = n - 1; i >= 0; i--)
    A[i] = A[i] > B[i] ? B[i] : A[i];
#pragma endscop
}
