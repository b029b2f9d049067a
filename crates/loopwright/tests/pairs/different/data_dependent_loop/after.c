void f(int n, double A[n], double B[n]) {
  for (int t = 0; t < n; t += 4)
    for (int i = t; i < n && i < t + 4; i++) {
      double y = A[n - 1 - i];
      while (y > 1.0) y = y * 0.5;
      B[i] = y;
    }
}
