void f(int n, int m, double A[n], double B[n][m]) {
  for (int i = n - 1; i >= 0; i--) {
    if (A[i] > 0.0) {
      for (int j = 0; j < m; j++) B[i][j] = A[i];
    } else B[i][0] = 1.0;
  }
}
