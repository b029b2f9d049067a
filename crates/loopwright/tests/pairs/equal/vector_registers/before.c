void f(int n, double C[4 * n][8 * n], double A[4 * n][n], double B[n][8 * n]) {
#pragma scop
  for (int i = 0; i < 4 * n; i++)
    for (int j = 0; j < 8 * n; j++)
      for (int k = 0; k < n; k++)
        C[i][j] += A[i][k] * B[k][j];
#pragma endscop
}
