#define min(x, y) ((x) < (y) ? (x) : (y))
#define max(x, y) ((x) > (y) ? (x) : (y))
#define floord(n, d) ((n) < 0 ? ~(~(n) / (d)) : (n) / (d))
void f(int steps, int n, double *restrict A, double *restrict B) {
#pragma scop
  for (long c0 = 0; c0 <= floord(steps - 1, 8); c0++) {
    for (long c1 = c0; c1 <= min(floord((long) steps + n - 3, 8), floord(8 * c0 + n + 6, 8)); c1++) {
      for (long c3 = max(8 * c0, 8 * c1 - n + 1); c3 <= min(steps - 1, min(8 * c0 + 7, 8 * c1 + 7)); c3++) {
        for (long c4 = max(8 * c1, c3 + 1); c4 <= min(8 * c1 + 7, c3 + n - 1); c4++) {
          if (c4 <= c3 + n - 2)
            B[c4 - c3] = 0.33333 * (A[c4 - c3 - 1] + A[c4 - c3] + A[c4 - c3 + 1]);
          if (c4 >= c3 + 2)
            A[c4 - c3 - 1] = 0.33333 * (B[c4 - c3 - 2] + B[c4 - c3 - 1] + B[c4 - c3]);
        }
      }
    }
  }
#pragma endscop
}
