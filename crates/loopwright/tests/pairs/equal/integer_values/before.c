void f(int n, int *A) {
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = 0; j < 3; j++)
      A[3 * i + j] = 2 * i - j;
#pragma endscop
}
