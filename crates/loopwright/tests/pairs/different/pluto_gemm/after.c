#define floord(n, d) (((n) < 0) ? -((-(n) + (d) - 1) / (d)) : (n) / (d))
#define ceild(n, d) (((n) < 0) ? -((-(n)) / (d)) : ((n) + (d) - 1) / (d))
#define max(x, y) ((x) > (y) ? (x) : (y))
#define min(x, y) ((x) < (y) ? (x) : (y))
void f(int n, double C[n][n], double A[n][n], double B[n][n]) {
  int t1, t2, t3, t4, t5, t6;
  int lb, ub, lbp, ubp, lb2, ub2;
  register int lbv, ubv;
  if (n >= 1) {
    lbp = 0;
    ubp = floord(n - 2, 32);
#pragma omp parallel for private(lbv, ubv, t2, t3, t4, t5, t6)
    for (t1 = lbp; t1 <= ubp; t1++) {
      for (t2 = 0; t2 <= floord(n - 1, 32); t2++) {
        for (t3 = 0; t3 <= floord(n - 1, 32); t3++) {
          for (t4 = 32 * t1; t4 <= min(n - 1, 32 * t1 + 31); t4++) {
            for (t5 = 32 * t3; t5 <= min(n - 1, 32 * t3 + 31); t5++) {
              lbv = 32 * t2;
              ubv = min(n - 1, 32 * t2 + 31);
#pragma ivdep
#pragma vector always
              for (t6 = lbv; t6 <= ubv; t6++) {
                C[t4][t6] = C[t4][t6] + A[t4][t5] * B[t5][t6];
              }
            }
          }
        }
      }
    }
  }
}
