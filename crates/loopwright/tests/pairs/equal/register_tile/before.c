void f(int n, double C[2 * n][2 * n], double A[2 * n][n], double B[n][2 * n]) {
#pragma scop
  for (int i = 0; i < 2 * n; i++)
    for (int j = 0; j < 2 * n; j++)
      for (int k = 0; k < n; k++)
        C[i][j] += A[i][k] * B[k][j];
#pragma endscop
}
