void f(int n, double A[n], double B[n]) {
  for (int i = 0; i < n; i++) {
    double x = A[i];
    while (x > 1.0) x = x * 0.5;
    B[i] = x;
  }
}
