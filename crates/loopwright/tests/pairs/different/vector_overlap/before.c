void f(int n, double *A) {
#pragma scop
  for (int i = 4 * n - 1; i >= 0; i--)
    A[i + 1] = A[i];
#pragma endscop
}
