void f(int n, int *restrict R) {
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++)
      R[0] += R[1];
#pragma endscop
}
