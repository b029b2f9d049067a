void f(int n, double *restrict A, double *restrict B) {
#pragma scop
  for (int i = 0; i < n; i++)
    A[i] = 2 * B[i];
#pragma endscop
}
