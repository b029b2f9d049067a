void f(int n, double *A, double *B) {
#pragma scop
  for (int i = 0; i < n; i++)
    A[i] = i == 0 ? B[0] : A[i - 1] + B[i];
#pragma endscop
}
