void f(int n, double *A, double *S) {
#pragma scop
  for (int i = 0; i < n; i++) {
    S[i] = 0;
    for (int k = 0; k <= i; k++)
      S[i] = S[i] + A[k];
  }
#pragma endscop
}
