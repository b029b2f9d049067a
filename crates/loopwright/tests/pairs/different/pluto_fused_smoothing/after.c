#define floord(n, d) (((n) < 0) ? -((-(n) + (d) - 1) / (d)) : (n) / (d))
#define ceild(n, d) (((n) < 0) ? -((-(n)) / (d)) : ((n) + (d) - 1) / (d))
#define max(x, y) ((x) > (y) ? (x) : (y))
#define min(x, y) ((x) < (y) ? (x) : (y))
void f(int n, double *A, double *B, double *C) {
  int t1;
  if (n >= 3) {
    for (t1 = 1; t1 <= min(2, n - 2); t1++)
      B[t1] = (A[t1 - 1] + A[t1] + A[t1 + 1]) / 3;
    for (t1 = 3; t1 <= n - 2; t1++) {
      B[t1] = (A[t1 - 1] + A[t1] + A[t1 + 1]) / 3;
      C[t1] = (B[t1 - 1] + B[t1] + B[t1 + 1]) / 3;
    }
  }
}
