void f(int n, int m, int K[n], double A[n], double H[m]) {
  for (int i = 0; i < m; i++) H[i] = 0.0;
  for (int i = 0; i < n; i++) H[K[i]] += A[i];
}
