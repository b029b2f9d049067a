void f(int n, double *A) {
#pragma scop
  double dev_A[n];
  for (int i = 0; i < n; i++)
    dev_A[i] = A[i];
  for (int b = 0; b < n; b += 8)
    for (int t = 0; t < 8 && b + t < n; t++)
      dev_A[b + t] = dev_A[b + t] * dev_A[b + t];
  for (int i = 0; i < n; i++)
    A[i] = dev_A[i];
#pragma endscop
}
