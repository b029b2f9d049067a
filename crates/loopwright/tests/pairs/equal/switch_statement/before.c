void f(int n, int K[n], double A[n], double B[n]) {
  for (int i = 0; i < n; i++) {
    switch (K[i]) {
      case 0: B[i] = A[i]; break;
      case 1: B[i] = -A[i]; break;
      default: B[i] = 0.0;
    }
  }
}
