void f(int n, int *key, double *A, double *B) {
#pragma scop
  for (int i = 0; i < n; i++) {
    if (key[i] != 0)
      B[i] = A[i];
  }
  for (int i = 0; i < n; i++) {
    if (key[i] == 0)
      A[i] = 1;
  }
#pragma endscop
}
