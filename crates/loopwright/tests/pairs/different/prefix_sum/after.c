void f(int n, double *A, double *S) {
#pragma scop
  double s = 0;
  for (int i = 0; i < n; i++) {
    S[i] = s;
    s = s + A[i];
  }
#pragma endscop
}
