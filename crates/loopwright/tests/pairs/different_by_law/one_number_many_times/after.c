void f(int n, int *restrict R) {
#pragma scop
  int s = 0;
  for (int j = 0; j < n; j++)
    for (int i = j + 1; i < n; i++)
      s += R[1];
  R[0] = s + R[0];
#pragma endscop
}
