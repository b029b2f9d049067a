void f(int n, double *c, double *r, double x) {
#pragma scop
  double acc = 0;
  for (int i = 1; i <= n; i++)
    acc = acc * x + c[n - i];
  r[0] = n > 1 ? acc : 0;
#pragma endscop
}
