#include <math.h>
#include <stdio.h>
/* Variables that are written whichever branch runs, and some that only seem to be. */
static unsigned seed = 12345;
static int rnd(int m)
{
  seed = seed * 1103515245u + 12345u;
  return (seed >> 16) % m;
}
static double sum;
static void add(double v) { sum = sum * 0.99999 + v; }

static void f_0(int n, const int *restrict c, const double *restrict a, double *restrict out){
  double t, u; int k;
#pragma scop
  for (int i = 0; i < n; i++) {
    switch (c[i]) {
    case 0: t = a[i]; u = 1; break;
    case 1: t = 2 * a[i]; t += 1; u = t; break;
    case 2: u = 3;
    case 3: t = a[i] * a[i]; u = 4 + t; break;
    default: t = -a[i]; u = 0;
    }
    if (a[i] > 0) { if (c[i] > 1) k = 1; else k = 2; } else if (a[i] < -5) k = 3; else k = 4;
    out[i] = t * u + k;
  }
#pragma endscop
}

static void f_1(int n, const int *restrict c, const double *restrict a, double *restrict out){
  double t = 7, u = 3, v = 1, z = 2;
#pragma scop
  for (int i = 0; i < n; i++) {
    switch (c[i]) { case 0: t = a[i]; break; case 1: if (a[i] > 0) break; t = 1; break; default: t = 2; }
    switch (c[i]) { case 0: u = a[i]; break; case 1: u = 5; }
    if (c[i] > 2) { if (a[i] > 3) v = 1; } else v = 2;
    for (int q = 0; q < c[i]; q++) { if (a[i] > 10) break; z = q; }
    out[i] = t + 2 * u + 4 * v + 8 * z;
  }
#pragma endscop
}

static void f_2(int n, const int *restrict c, const double *restrict a, double *restrict out){
  double t, w[2];
#pragma scop
  for (int i = 0; i < n; i++) {
    c[i] > 2 ? (t = a[i]) : (t = 1 - a[i]);
    if (c[i] == 0) { w[0] = t; w[1] = 1; } else if (c[i] == 1) { w[1] = t; w[0] = 2; } else { w[0] = w[1] = 5; }
    out[i] = w[0] * 3 + w[1] * t;
  }
#pragma endscop
}

static void f_3(int n, const int *restrict c, const double *restrict a, double *restrict out){
#pragma scop
  double w[4]; w[0]=w[1]=w[2]=w[3]=1;
  for (int i = 0; i < n; i++) {
    if (c[i] > 2) { w[0] = a[i]; w[1] = i; } else { w[0] = -a[i]; w[2] = i; }
    out[i] = w[0] + w[1] + w[2] + w[3];
  }
#pragma endscop
}

static void f_4(int n, int m, float a[restrict n][m], float out[restrict n][4], const int *restrict c){
  float mx, mn; double s, p;
#pragma scop
  for (int i = 0; i < n; i++) {
    s = 0; p = 1; mx = a[i][0]; mn = a[i][0];
    for (int j = 0; j < m; j++) { s += a[i][j]; p *= 1 + a[i][j] / 1000; if (a[i][j] > mx) mx = a[i][j]; mn = fminf(mn, a[i][j]); }
    if (c[i]) { for (int j = 0; j < m; j++) s -= a[i][j] * a[i][j]; }
    out[i][0] = s; out[i][1] = p; out[i][2] = mx; out[i][3] = mn;
  }
#pragma endscop
}

static void f_5(int n, int m, double a[restrict n][m], double *restrict out, const int *restrict c){
  double s;
#pragma scop
  for (int i = 0; i < n; i++) {
    if (c[i] > 0) { s = 0; for (int j = 0; j < m; j++) s += a[i][j]; }
    else { s = 1; for (int j = 0; j < m; j++) s *= 1 + a[i][j] / 1000; }
    out[i] = s;
  }
#pragma endscop
}

static double outer;
static void f_6(int n, const int *restrict c, const double *restrict a, double *restrict out){
#pragma scop
  for (int i = 0; i < n; i++) { if (c[i] > 2) outer = a[i]; else outer = 2 * a[i]; out[i] = outer; }
#pragma endscop
}

static void f_7(int n, const int *restrict c, const double *restrict a, double *restrict out){
  int k; double t;
#pragma scop
  for (int i = 0; i < n; i++) {
    if (a[i] > 0) { k = 0; while (k < c[i]) k++; t = k; } else { k = 5; do { k--; } while (k > c[i]); t = -k; }
    out[i] = t + k;
  }
  for (int i = 0; i < n; i++) {
    if (c[i] == 3) continue;
    if (c[i] == 4) t = 1; else t = a[i];
    out[i] += t;
  }
#pragma endscop
}

static void set_8(double *p, double v){ *p = v; }
static void maybe_8(double *p, double v){ if (v > 3) *p = v; }
static void f_8(int n, const int *restrict c, const double *restrict a, double *restrict out){
  double t = 0, u = 0;
#pragma scop
  for (int i = 0; i < n; i++) {
    if (c[i] > 2) set_8(&t, a[i]); else t = 1;
    if (c[i] > 2) maybe_8(&u, a[i]); else u = 1;
    out[i] = t + 3 * u;
  }
#pragma endscop
}

static void f_9(int n, const int *restrict c, const double *restrict a, double *restrict out){
  double t = 3;
#pragma scop
  for (int i = 0; i < n; i++) {
    if (c[i] > 2) { if (a[i] > 7) goto skip; t = a[i]; } else { t = 2; }
    out[i] = t;
    skip: ;
    out[i] += t;
  }
#pragma endscop
}

static void f_10(int n, const int *restrict c, const double *restrict a, double *restrict out){
  double t = 1, u, v = 2;
#pragma scop
  for (int i = 0; i < n; i++) {
    if (c[i] > 2) t = t + a[i]; else t = 0;
    if (c[i] > 1) { u = a[i]; v = u; u += v; } else { u = 1; u *= 3; }
    switch (c[i]) { case 1: switch ((int) a[i]) { case 2: v = 1; break; default: v = 3; } break; default: v = 9; }
    out[i] = t + u * 100 + v * 7;
  }
#pragma endscop
}

static void f_11(int n, int m, double a[restrict n][m], double *restrict out, const int *restrict c){
  double s = 4, t = 5, u = 6, v = 7;
#pragma scop
  for (int i = 0; i < n; i++) {
    if (c[i] > 1) { s = 0; for (int j = 0; j < m; j++) s += a[i][j]; }
    else if (c[i] > 0) { s = 1; for (int j = 0; j < m; j++) s *= 1 + a[i][j] / 1000; }
    else { s = 3; }
    if (c[i] > 0) { t = 0; for (int j = 0; j < m; j++) t += a[i][j]; }
    if (c[i] > 0) { for (int j = 0; j < m; j++) u += a[i][j]; u = 2; } else { u = 1; }
    if (c[i] > 1) { for (int j = 0; j < m; j++) v = a[i][j]; }
    else { if (c[i] > 0) { v = 1; for (int j = 0; j < m; j++) v += a[i][j]; } }
    out[i] = s + t * 3 + u * 5 + v * 7;
  }
#pragma endscop
}
static void g_11(int n, int m, double a[restrict n][m], double *restrict out, const int *restrict c){
  double s = 4;
#pragma scop
  for (int i = 0; i < n; i++) {
    if (c[i] > 1) { s = 0; for (int j = 0; j < m; j++) s += a[i][j]; }
    else if (c[i] > 0) { s = 1; for (int j = 0; j < m; j++) s *= 1 + a[i][j] / 1000; }
    else { s = 3; }
    out[i] = s;
  }
#pragma endscop
}

int main(void)
{
  { static int c[1500]; static double a[1500], o[1500]; for(int i=0;i<1500;i++){c[i]=rnd(6);a[i]=rnd(100)-50;} f_0(1500,c,a,o); for(int i=0;i<1500;i++)add(o[i]); }
  { static int c[1500]; static double a[1500], o[1500]; for(int i=0;i<1500;i++){c[i]=rnd(6);a[i]=rnd(100)-50;} f_1(1500,c,a,o); for(int i=0;i<1500;i++)add(o[i]); }
  { static int c[1500]; static double a[1500], o[1500]; for(int i=0;i<1500;i++){c[i]=rnd(6);a[i]=rnd(100)-50;} f_2(1500,c,a,o); for(int i=0;i<1500;i++)add(o[i]); }
  { static int c[1500]; static double a[1500], o[1500]; for(int i=0;i<1500;i++){c[i]=rnd(6);a[i]=rnd(100)-50;} f_3(1500,c,a,o); for(int i=0;i<1500;i++)add(o[i]); }
  { static int c[300]; static float a[300][70], b[300][4]; for(int i=0;i<300;i++){c[i]=rnd(2);for(int j=0;j<70;j++)a[i][j]=rnd(100);} f_4(300,70,a,b,c); for(int i=0;i<300;i++)for(int j=0;j<4;j++)add(b[i][j]); }
  { static int c[300]; static double a[300][70], b[300]; for(int i=0;i<300;i++){c[i]=rnd(2);for(int j=0;j<70;j++)a[i][j]=rnd(100);} f_5(300,70,a,b,c); for(int i=0;i<300;i++)add(b[i]); }
  { static int c[1500]; static double a[1500], o[1500]; for(int i=0;i<1500;i++){c[i]=rnd(6);a[i]=rnd(100)-50;} f_6(1500,c,a,o); for(int i=0;i<1500;i++)add(o[i]); add(outer); }
  { static int c[1500]; static double a[1500], o[1500]; for(int i=0;i<1500;i++){c[i]=rnd(6);a[i]=rnd(100)-50;} f_7(1500,c,a,o); for(int i=0;i<1500;i++)add(o[i]); }
  { static int c[1500]; static double a[1500], o[1500]; for(int i=0;i<1500;i++){c[i]=rnd(6);a[i]=rnd(100)-50;} f_8(1500,c,a,o); for(int i=0;i<1500;i++)add(o[i]); }
  { static int c[1500]; static double a[1500], o[1500]; for(int i=0;i<1500;i++){c[i]=rnd(6);a[i]=rnd(100)-50;} f_9(1500,c,a,o); for(int i=0;i<1500;i++)add(o[i]); }
  { static int c[1500]; static double a[1500], o[1500]; for(int i=0;i<1500;i++){c[i]=rnd(6);a[i]=rnd(100)-50;} f_10(1500,c,a,o); for(int i=0;i<1500;i++)add(o[i]); }
  { static int c[300]; static double a[300][70], b[300]; for(int i=0;i<300;i++){c[i]=rnd(3);for(int j=0;j<70;j++)a[i][j]=rnd(100);} f_11(300,70,a,b,c); for(int i=0;i<300;i++)add(b[i]); g_11(300,70,a,b,c); for(int i=0;i<300;i++)add(b[i]);f_11(300,0,a,b,c); for(int i=0;i<300;i++)add(b[i]); }
  printf("%.17g\n", sum);
  return 0;
}
