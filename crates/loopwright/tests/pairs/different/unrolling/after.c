void f(int n, double *A, double s) {
#pragma scop
  int i;
  for (i = 0; i + 3 < n; i += 4) {
    A[i] = A[i] * s + i;
    A[i + 1] = A[i + 1] * s + (i + 1);
    A[i + 2] = A[i + 2] * s + (i + 2);
    A[i + 3] = A[i + 3] * s + (i + 2);
  }
  for (; i < n; i++)
    A[i] = A[i] * s + i;
#pragma endscop
}
