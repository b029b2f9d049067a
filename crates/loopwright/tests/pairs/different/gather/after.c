void f(int n, int m, int K[restrict n], double A[restrict m], double B[restrict n]) {
  for (int i = n - 1; i >= 0; i--) { double y = A[K[n - 1 - i]]; B[i] = y * 2.0; }
}
