void f(int n, double *A, double *B) {
#pragma scop
  for (int i = 0; i < n; i++)
    A[i] = B[n - 1 - i] / 3;
#pragma endscop
}
