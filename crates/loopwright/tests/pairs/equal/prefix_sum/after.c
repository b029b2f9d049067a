void f(int n, double *A, double *S) {
#pragma scop
  double s = 0;
  for (int i = 0; i < n; i++) {
    s = s + A[i];
    S[i] = s;
  }
#pragma endscop
}
