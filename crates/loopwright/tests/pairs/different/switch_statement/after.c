void f(int n, int K[n], double A[n], double B[n]) {
  for (int i = n - 1; i >= 0; i--) {
    switch (K[n - 1 - i]) {
      case 0: B[i] = A[i]; break;
      case 1: B[i] = -A[i]; break;
      default: B[i] = 0.0;
    }
  }
}
