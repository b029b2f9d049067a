void f(int n, int *A) {
#pragma scop
  for (int k = 0; k < 3 * n; k++)
    A[k] = 2 * (k / 3) - k % 3;
#pragma endscop
}
