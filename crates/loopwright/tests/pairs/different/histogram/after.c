void f(int n, int m, int K[n], double A[n], double H[m]) {
  for (int k = 0; k < m; k++) H[k] = 0.0;
  for (int t = 0; t < n; t += 8)
    for (int i = t; i < n - 1 && i < t + 8; i++) H[K[i]] += A[i];
}
