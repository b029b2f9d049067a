void f(int n, double *A) {
#pragma scop
  for (int i = 0; i < n; i++)
    A[i] = A[i] * A[i];
#pragma endscop
}
