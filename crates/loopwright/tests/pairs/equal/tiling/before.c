void f(int n, double A[n][n], double B[n][n]) {
#pragma scop
  for (int i = 1; i < n; i++)
    for (int j = 1; j < n; j++)
      A[i][j] = A[i - 1][j] + A[i][j - 1] * B[i][j];
#pragma endscop
}
