void f(int n, double *A, double *B) {
#pragma scop
  for (int i = 0; i < n; i++)
    A[i] = B[i < 10 ? i : 10];
#pragma endscop
}
