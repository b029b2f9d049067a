#define min(x, y) ((x) < (y) ? (x) : (y))
#define max(x, y) ((x) > (y) ? (x) : (y))

/* Time steps in tiles of 32, skewed elements in tiles of 64; all quotients are those of C. */
void f(int tsteps, int n, double A[n]) {
  int last_tile;
  for (int c0 = 0; 32 * c0 < tsteps; c0++) {
    last_tile = (64 * c0 + tsteps + n + 124) / 64;
    for (int c1 = c0 / 2; c1 <= min((32 * c0 + n + 30) / 64, (tsteps + n + 60) / 64); c1++) {
      for (int c2 = max(32 * c0, 64 * c1 - n + 2); c2 < min(tsteps, min(32 * c0 + 32, 64 * c1 + 63)); c2++) {
        for (int c3 = max(64 * c1, c2 + 1); c3 < min(64 * c1 + 64, c2 + n - 1); c3++) {
          A[c3 - c2] = (A[c3 - c2 - 1] + A[c3 - c2] + A[c3 - c2 + 1]) / 3.0;
        }
      }
    }
  }
}
