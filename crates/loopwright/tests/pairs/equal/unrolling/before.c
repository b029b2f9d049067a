void f(int n, double *A, double s) {
#pragma scop
  for (int i = 0; i < n; i++)
    A[i] = A[i] * s + i;
#pragma endscop
}
