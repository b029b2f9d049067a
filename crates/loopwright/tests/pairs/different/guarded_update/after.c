void f(int n, int *key, double *A, double *B) {
#pragma scop
  for (int i = 0; i < n; i++) {
    if (key[i] == 0)
      A[i] = 1;
  }
  for (int i = 0; i < n; i++)
    B[i] = A[i];
#pragma endscop
}
