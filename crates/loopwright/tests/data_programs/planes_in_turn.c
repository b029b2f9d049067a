#include <math.h>
#include <stdio.h>
/* Stencils that keep two or three planes. */
static unsigned seed = 12345;
static int rnd(int m)
{
  seed = seed * 1103515245u + 12345u;
  return (seed >> 16) % m;
}
static double sum;
static void add(double v) { sum = sum * 0.99999 + v; }

static void f_0(int T, int n, double a[restrict 2][n][n]){
#pragma scop
  for (int t = 0; t < T; t++) for (int i = 1; i < n - 1; i++) for (int j = 1; j < n - 1; j++)
    a[1 - t % 2][i][j] = 0.25 * (a[t & 1][i-1][j] + a[t & 1][i+1][j] + a[t & 1][i][j-1] + a[t & 1][i][j+1]);
#pragma endscop
}
static void g_0(int T, int n, double a[restrict 2][n]){
#pragma scop
  for (int t = 0; t < T; t++) for (int i = 1; i < n - 1; i++)
    a[(t + 1) % 2][i] = 0.33 * (a[t % 2][i-1] + a[t % 2][i] + a[t % 2][i+1]);
#pragma endscop
}
static void h_0(int T, int n, double a[restrict 3][n][n]){
#pragma scop
  for (int t = 1; t < T; t++) for (int i = 1; i < n - 1; i++) for (int j = 1; j < n - 1; j++)
    a[(t + 1) % 3][i][j] = 2 * a[t % 3][i][j] - a[(t - 1) % 3][i][j] + 0.1 * (a[t % 3][i-1][j] + a[t % 3][i+1][j] + a[t % 3][i][j-1] + a[t % 3][i][j+1] - 4 * a[t % 3][i][j]);
#pragma endscop
}
static void k_0(int T, int n, double a[restrict 2][n][n][n]){
#pragma scop
  for (int t = 0; t < T; t++) for (int i = 1; i < n - 1; i++) for (int j = 1; j < n - 1; j++) for (int l = 1; l < n - 1; l++)
    a[(t + 1) % 2][i][j][l] = 0.1 * (a[t % 2][i-1][j][l] + a[t % 2][i+1][j][l] + a[t % 2][i][j-1][l] + a[t % 2][i][j+1][l] + a[t % 2][i][j][l-1] + a[t % 2][i][j][l+1]);
#pragma endscop
}

static void f_1(int T, int n, double a[restrict n][n], double b[restrict n][n]){
#pragma scop
  for (int t = 0; t < T; t++) {
    if (t % 2 == 0) { for (int i = 1; i < n - 1; i++) for (int j = 1; j < n - 1; j++) b[i][j] = 0.25 * (a[i-1][j] + a[i+1][j] + a[i][j-1] + a[i][j+1]); }
    else { for (int i = 1; i < n - 1; i++) for (int j = 1; j < n - 1; j++) a[i][j] = 0.25 * (b[i-1][j] + b[i+1][j] + b[i][j-1] + b[i][j+1]); }
  }
#pragma endscop
}

int main(void)
{
  { static double a[2][130][130], b[2][9000], c[3][130][130], d[2][40][40][40]; for(int i=0;i<2*130*130;i++)(&a[0][0][0])[i]=rnd(100); for(int i=0;i<18000;i++)(&b[0][0])[i]=rnd(100); for(int i=0;i<3*130*130;i++)(&c[0][0][0])[i]=rnd(10); for(int i=0;i<2*64000;i++)(&d[0][0][0][0])[i]=rnd(100);
 f_0(67,130,a); g_0(333,9000,b); h_0(34,130,c); k_0(21,40,d); for(int i=0;i<2*130*130;i++)add((&a[0][0][0])[i]); for(int i=0;i<18000;i++)add((&b[0][0])[i]); for(int i=0;i<3*130*130;i++)add((&c[0][0][0])[i]);for(int i=0;i<2*64000;i++)add((&d[0][0][0][0])[i]); }
  { static double a[130][130], b[130][130]; for(int i=0;i<130*130;i++)(&a[0][0])[i]=(&b[0][0])[i]=rnd(100); f_1(33,130,a,b); for(int i=0;i<130*130;i++)add((&a[0][0])[i]+(&b[0][0])[i]); }
  printf("%.17g\n", sum);
  return 0;
}
