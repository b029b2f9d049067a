#define floord(n, d) (((n) < 0) ? -((-(n) + (d) - 1) / (d)) : (n) / (d))
#define ceild(n, d) (((n) < 0) ? -((-(n)) / (d)) : ((n) + (d) - 1) / (d))
#define max(x, y) ((x) > (y) ? (x) : (y))
#define min(x, y) ((x) < (y) ? (x) : (y))
void f(int T, int n, double A[n][n]) {
  int t1, t2, t3;
  for (t1 = 0; t1 <= T - 1; t1++)
    for (t2 = t1 + n - 2; t2 >= t1 + 1; t2--)
      for (t3 = t1 + t2 + 1; t3 <= t1 + t2 + n - 2; t3++)
        A[-t1 + t2][-t1 - t2 + t3] = (A[-t1 + t2 - 1][-t1 - t2 + t3] + A[-t1 + t2][-t1 - t2 + t3 - 1] + A[-t1 + t2][-t1 - t2 + t3] + A[-t1 + t2][-t1 - t2 + t3 + 1] + A[-t1 + t2 + 1][-t1 - t2 + t3]) / 5.0;
}
