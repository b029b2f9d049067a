#include <math.h>
#include <stdio.h>
/* Arrays that are declared in loops, and one that is not. */
static unsigned seed = 12345;
static int rnd(int m)
{
  seed = seed * 1103515245u + 12345u;
  return (seed >> 16) % m;
}
static double sum;
static void add(double v) { sum = sum * 0.99999 + v; }

static void f_0(int n, int m, double a[restrict n][m], double b[restrict n][m]){
#pragma scop
  for (int i = 0; i < n; i++) {
    double row[m][2]; double s = 0;
    for (int j = 0; j < m; j++) { row[j][0] = a[i][j]; row[j][1] = a[i][j] * 2; }
    for (int j = 0; j < m; j++) { double tmp[3]; tmp[0] = row[j][0]; tmp[1] = row[m-1-j][1]; tmp[2] = tmp[0] + tmp[1]; s += tmp[2]; }
    for (int j = 0; j < m; j++) b[i][j] = row[j][0] - s;
  }
#pragma endscop
}

static void f_1(int n, int m, int a[restrict n][m], int out[restrict n][16]){
#pragma scop
  for (int i = 0; i < n; i++) {
    int h[16];
    for (int k = 0; k < 16; k++) h[k] = 0;
    for (int j = 0; j < m; j++) h[a[i][j]] += 1;
    for (int k = 0; k < 16; k++) out[i][k] = h[k];
  }
#pragma endscop
}

static void f_2(int n, int m, double a[restrict n][m], double b[restrict n][m]){
#pragma scop
  double acc[m];
  for (int j = 0; j < m; j++) acc[j] = 0;
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < m; j++) acc[j] += a[i][j];
    for (int j = 0; j < m; j++) b[i][j] = acc[j];
  }
#pragma endscop
}

static void f_3(int n, int m, double a[restrict n][m], double b[restrict n][m], const int *restrict c){
#pragma scop
  for (int i = 0; i < n; i++) {
    double row[m];
    if (c[i] > 0) { for (int j = 0; j < m; j++) row[j] = a[i][j]; }
    else { for (int j = 0; j < m; j++) row[j] = 1 - a[i][m - 1 - j]; }
    for (int j = 1; j < m; j++) b[i][j] = row[j] + row[j-1];
  }
#pragma endscop
}

static void f_4(int h, int w, int in[restrict h][w], int out[restrict h][w]){
#pragma scop
  for (int y = 1; y < h - 1; y++) for (int x = 1; x < w - 1; x++) {
    int v[9];
    for (int i = 0; i < 3; i++) for (int j = 0; j < 3; j++) v[3*i+j] = in[y+i-1][x+j-1];
    for (int i = 0; i < 9; i++) for (int j = 0; j < 8 - i; j++) if (v[j] > v[j+1]) { int q = v[j]; v[j] = v[j+1]; v[j+1] = q; }
    out[y][x] = v[4];
  }
#pragma endscop
}

static void f_5(int n, double a[restrict n][8], double *restrict out){
#pragma scop
  for (int i = 0; i < n; i++) {
    double q[8];
    for (int j = 0; j < 8; j++) { if (a[i][j] > 4) q[j] = a[i][j]; else q[j] = -1; }
    double best; int at;
    best = q[0]; at = 0;
    for (int j = 1; j < 8; j++) if (q[j] > best) { best = q[j]; at = j; }
    out[i] = best * 10 + at;
  }
#pragma endscop
}

int main(void)
{
  { static double a[300][70], b[300][70]; for(int i=0;i<300;i++)for(int j=0;j<70;j++)a[i][j]=rnd(100); f_0(300,70,a,b); for(int i=0;i<300;i++)for(int j=0;j<70;j++)add(b[i][j]); f_0(0,70,a,b); }
  { static int a[300][70], b[300][16]; for(int i=0;i<300;i++)for(int j=0;j<70;j++)a[i][j]=rnd(16); f_1(300,70,a,b); for(int i=0;i<300;i++)for(int j=0;j<16;j++)add(b[i][j]); }
  { static double a[300][70], b[300][70]; for(int i=0;i<300;i++)for(int j=0;j<70;j++)a[i][j]=rnd(100); f_2(300,70,a,b); for(int i=0;i<300;i++)for(int j=0;j<70;j++)add(b[i][j]); }
  { static int c[300]; static double a[300][70], b[300][70]; for(int i=0;i<300;i++){c[i]=rnd(2);for(int j=0;j<70;j++)a[i][j]=rnd(100);} f_3(300,70,a,b,c); for(int i=0;i<300;i++)for(int j=0;j<70;j++)add(b[i][j]); }
  { static int a[120][130], b[120][130]; for(int i=0;i<120;i++)for(int j=0;j<130;j++)a[i][j]=rnd(1000); f_4(120,130,a,b); for(int i=0;i<120;i++)for(int j=0;j<130;j++)add(b[i][j]); }
  { static double a[1500][8], o[1500]; for(int i=0;i<1500;i++)for(int j=0;j<8;j++)a[i][j]=rnd(10); f_5(1500,a,o); for(int i=0;i<1500;i++)add(o[i]); }
  printf("%.17g\n", sum);
  return 0;
}
