void f(int n, double *A, double *B) {
#pragma scop
  double t;
  for (int i = 0; i < n; i++) {
    t = A[i] + B[i];
    A[i] = t * t;
  }
#pragma endscop
}
