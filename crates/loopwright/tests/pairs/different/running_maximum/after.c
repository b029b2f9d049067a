void f(int n, double *A, double *m) {
#pragma scop
  double best = A[0];
  for (int i = 1; i < n - 1; i++)
    best = A[i] > best ? A[i] : best;
  m[0] = best;
#pragma endscop
}
