void f(int n, double *A, double *B) {
#pragma scop
  double t[n];
  for (int i = 0; i < n; i++)
    t[i] = A[i] + B[i];
  for (int i = 0; i < n; i++)
    A[i] = t[0] * t[i];
#pragma endscop
}
