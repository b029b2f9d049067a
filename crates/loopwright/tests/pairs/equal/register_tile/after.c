void f(int n, double C[2 * n][2 * n], double A[2 * n][n], double B[n][2 * n]) {
#pragma scop
  for (int i = 0; i < 2 * n; i += 2)
    for (int j = 0; j < 2 * n; j += 2) {
      double c00 = C[i][j], c01 = C[i][j + 1], c10 = C[i + 1][j], c11 = C[i + 1][j + 1];
      for (int k = 0; k < n; k++) {
        double a0 = A[i][k], a1 = A[i + 1][k];
        c00 += a0 * B[k][j];
        c01 += a0 * B[k][j + 1];
        c10 += a1 * B[k][j];
        c11 += a1 * B[k][j + 1];
      }
      C[i][j] = c00;
      C[i][j + 1] = c01;
      C[i + 1][j] = c10;
      C[i + 1][j + 1] = c11;
    }
#pragma endscop
}
