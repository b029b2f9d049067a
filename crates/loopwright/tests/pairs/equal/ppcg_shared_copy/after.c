void f(int n, double *A, double *B) {
#pragma scop
  for (int b = 0; b < n; b += 16) {
    double shared_A[16];
    double private_B[1];
    for (int t = 0; t < 16; t++)
      if (b + t < n)
        shared_A[t] = A[b + t];
    for (int t = 0; t < 16; t++)
      if (b + t < n) {
        private_B[0] = shared_A[t] + shared_A[t] * 0.5;
        B[b + t] = private_B[0];
      }
  }
#pragma endscop
}
