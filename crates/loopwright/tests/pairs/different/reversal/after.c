void f(int n, double *A, double *B) {
#pragma scop
  for (int i = n - 1; i > 0; i--)
    A[i] = B[n - 1 - i] / 3;
#pragma endscop
}
