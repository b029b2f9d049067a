void f(int n, int m, int K[restrict n], double A[restrict m], double B[restrict n]) {
  for (int i = 0; i < n; i++) { double x = A[K[i]]; B[i] = x * 2.0; }
}
