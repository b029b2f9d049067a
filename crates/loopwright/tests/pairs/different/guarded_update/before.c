void f(int n, int *key, double *A, double *B) {
#pragma scop
  for (int i = 0; i < n; i++) {
    if (key[i] == 0)
      A[i] = 1;
    else
      B[i] = A[i];
  }
#pragma endscop
}
