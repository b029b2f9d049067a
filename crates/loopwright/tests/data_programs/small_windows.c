#include <math.h>
#include <stdio.h>
/* Loops whose lengths are differences of parameters. */
static unsigned seed = 12345;
static int rnd(int m)
{
  seed = seed * 1103515245u + 12345u;
  return (seed >> 16) % m;
}
static double sum;
static void add(double v) { sum = sum * 0.99999 + v; }

static void f_0(int n, int m, const double *restrict a, const double *restrict k, double *restrict out){
#pragma scop
  for (int i = 0; i < n - m + 1; i++) { double s = 0; for (int j = 0; j < m; j++) s += a[i + j] * k[j]; out[i] = s; }
#pragma endscop
}
static void g_0(int h, int w, int kh, int kw, double in[restrict h][w], double k[restrict kh][kw], double out[restrict h][w]){
  double s;
#pragma scop
  for (int y = 0; y < h - kh; y++) for (int x = 0; x < w - kw; x++) { s = 0; for (int v = 0; v < kh; v++) for (int u = 0; u < kw; u++) s += in[y+v][x+u]*k[v][u]; out[y][x] = s; }
#pragma endscop
}

int main(void)
{
  { static double a[9000], k[40], o[9000], in[90][100], kk[5][7], out[90][100]; for(int i=0;i<9000;i++){a[i]=rnd(10);in[i/100][i%100]=rnd(9);} for(int i=0;i<35;i++){k[i]=rnd(5);kk[i/7][i%7]=rnd(4);} f_0(9000,31,a,k,o); g_0(90,100,5,7,in,kk,out); for(int i=0;i<9000;i++){add(o[i]);add(out[i/100][i%100]);} }
  printf("%.17g\n", sum);
  return 0;
}
