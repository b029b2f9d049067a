#define min(x, y) ((x) < (y) ? (x) : (y))
#define floord(n, d) (((n) < 0) ? -((-(n) + (d)-1) / (d)) : (n) / (d))
void f(int n, double *restrict A, double *restrict B) {
  int t1, t2, t3, lbp, ubp;
#pragma scop
  lbp = 0;
  ubp = floord(n - 1, 32);
#pragma omp parallel for private(t2, t3)
  for (t1 = lbp; t1 <= ubp; t1++) {
    for (t2 = 32 * t1; t2 <= (min(n - 1, 32 * t1 + 31)) - 3; t2 += 4) {
      for (t3 = 0; t3 <= n - 1; t3++) {
        A[t2] += B[t3];
        A[t2 + 1] += B[t3];
        A[t2 + 2] += B[t3];
        A[t2 + 3] += B[t2];
      }
    }
    for (; t2 <= min(n - 1, 32 * t1 + 31); t2++) {
      for (t3 = 0; t3 <= n - 1; t3++) {
        A[t2] += B[t3];
      }
    }
  }
#pragma endscop
}
