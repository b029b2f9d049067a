void f(int n, int m, double A[n][m], double T[n], int F[n]) {
  for (int i = 0; i < n; i++) {
    F[i] = -1;
    for (int j = 0; j < m; j++)
      if (A[i][j] > T[i]) { F[i] = j; break; }
  }
}
