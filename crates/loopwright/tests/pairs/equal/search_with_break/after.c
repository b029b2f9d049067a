void f(int n, int m, double A[n][m], double T[n], int F[n]) {
  for (int k = 0; k < n; k++) F[k] = -1;
  for (int i = n - 1; i >= 0; i--) {
    for (int c = 0; c < m; c++)
      if (A[i][c] > T[i]) { F[i] = c; break; }
  }
}
