typedef double double_x4 __attribute__((vector_size(32), aligned(8)));
void f(int n, double *restrict A, double *restrict B) {
#pragma scop
  {
    long v = 0;
    for (; v + 3 < n; v += 4) {
      *(double_x4 *) &A[v] = 2 * *(double_x4 *) &B[v];
    }
    if (v + 1 < n) {
      typedef double double_x2 __attribute__((vector_size(16), aligned(8)));
      *(double_x2 *) &A[v] = 2 * *(double_x2 *) &B[v];
      v += 2;
    }
    if (v < n) {
      A[v] = 2 * B[v];
    }
  }
#pragma endscop
}
