void f(int n, double *c, double *r, double x) {
#pragma scop
  r[0] = 0;
  for (int i = n - 1; i >= 0; i--)
    r[0] = r[0] * x + c[i];
#pragma endscop
}
