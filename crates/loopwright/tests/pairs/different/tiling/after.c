#define min(x, y) ((x) < (y) ? (x) : (y))
#define max(x, y) ((x) > (y) ? (x) : (y))
void f(int n, double A[n][n], double B[n][n]) {
#pragma scop
  for (int ii = 0; ii < n; ii += 4)
    for (int jj = 0; jj < n; jj += 4)
      for (int i = max(1, ii); i < min(n, ii + 3); i++)
        for (int j = max(1, jj); j < min(n, jj + 4); j++)
          A[i][j] = A[i - 1][j] + A[i][j - 1] * B[i][j];
#pragma endscop
}
