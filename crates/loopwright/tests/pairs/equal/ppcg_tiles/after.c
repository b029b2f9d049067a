void f(int n, double A[n][n], double B[n][n]) {
#pragma scop
#define ppcg_min(x, y) ((x) < (y) ? (x) : (y))
  for (int c0 = 0; c0 < n; c0 += 32)
    for (int c1 = 0; c1 < n; c1 += 32)
      for (int c2 = 0; c2 <= ppcg_min(31, n - c0 - 1); c2 += 1)
        for (int c3 = 0; c3 <= ppcg_min(31, n - c1 - 1); c3 += 1)
          B[c0 + c2][c1 + c3] = A[c0 + c2][c1 + c3] * 2 + A[c1 + c3][c0 + c2];
#pragma endscop
}
