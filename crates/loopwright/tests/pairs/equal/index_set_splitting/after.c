void f(int n, double *A, double *B) {
#pragma scop
  for (int i = 0; i < n && i < 10; i++)
    A[i] = B[i];
  for (int i = 10; i < n; i++)
    A[i] = B[10];
#pragma endscop
}
