void f(int n, double C[4 * n][8 * n], double A[4 * n][n], double B[n][8 * n]) {
#pragma scop
#pragma omp parallel for
  for (int i = 0; i < 4 * n; i += 4)
    for (int j = 0; j < 8 * n; j += 8) {
      typedef double double_x4 __attribute__((vector_size(32), aligned(sizeof(double)), may_alias));
      double_x4 C_r0_v0 = *(double_x4 *) &C[i][j];
      double_x4 C_r0_v1 = *(double_x4 *) &C[i][j + 4];
      double_x4 C_r1_v0 = *(double_x4 *) &C[i + 1][j];
      double_x4 C_r1_v1 = *(double_x4 *) &C[i + 1][j + 4];
      double_x4 C_r2_v0 = *(double_x4 *) &C[i + 2][j];
      double_x4 C_r2_v1 = *(double_x4 *) &C[i + 2][j + 4];
      double_x4 C_r3_v0 = *(double_x4 *) &C[i + 3][j];
      double_x4 C_r3_v1 = *(double_x4 *) &C[i + 3][j + 4];
      for (int k = 0; k < n; k++) {
        const double_x4 B_v0 = *(double_x4 *) &B[k][j];
        const double_x4 B_v1 = *(double_x4 *) &B[k][j + 4];
        const double A_r0 = A[i][k];
        C_r0_v0 += A_r0 * B_v0;
        C_r0_v1 += A_r0 * B_v1;
        const double A_r1 = A[i + 1][k];
        C_r1_v0 += A_r1 * B_v0;
        C_r1_v1 += A_r1 * B_v1;
        const double A_r2 = A[i + 2][k];
        C_r2_v0 += A_r2 * B_v0;
        C_r2_v1 += A_r2 * B_v1;
        const double A_r3 = A[i + 3][k];
        C_r3_v0 += A_r3 * B_v0;
        C_r3_v1 += A_r3 * B_v1;
      }
      *(double_x4 *) &C[i][j] = C_r0_v0;
      *(double_x4 *) &C[i][j + 4] = C_r0_v1;
      *(double_x4 *) &C[i + 1][j] = C_r1_v0;
      *(double_x4 *) &C[i + 1][j + 4] = C_r1_v1;
      *(double_x4 *) &C[i + 2][j] = C_r2_v0;
      *(double_x4 *) &C[i + 2][j + 4] = C_r2_v1;
      *(double_x4 *) &C[i + 3][j] = C_r3_v0;
      *(double_x4 *) &C[i + 3][j + 4] = C_r3_v1;
    }
#pragma endscop
}
