#include <stdio.h>
struct complex { double re, im; };
typedef struct { double x[3]; struct complex c[2]; struct { int a; } ; } particle;
union word { double d; int i[2]; };
int main(void) {
  struct complex a[64], b[64];
  particle p[40];
  union word w[16];
  double out[40];
  for (int i = 0; i < 64; i++) { a[i].re = i; a[i].im = 2 * i; b[i].re = 3; b[i].im = i % 5; }
  for (int i = 0; i < 40; i++) { p[i].a = i; for (int k = 0; k < 3; k++) p[i].x[k] = i + k; for (int k = 0; k < 2; k++) { p[i].c[k].re = 1; p[i].c[k].im = 2; } }
#pragma scop
  for (int i = 0; i < 63; i++) {
    struct complex t;
    t.re = a[i].re * b[i].re - a[i].im * b[i].im;
    t.im = a[i].re * b[i].im + a[i].im * b[i].re;
    b[i + 1].re = t.re; 
    b[i + 1].im = t.im;
  }
  for (int i = 1; i < 40; i++)
    for (int k = 0; k < 3; k++) {
      p[i].x[k] += p[i - 1].x[k] * 0.5;
      p[i].c[1].re += p[i].x[k];
    }
  for (int i = 0; i < 40; i++) out[i] = 0;
  for (int i = 0; i < 40; i++)
    for (int j = 0; j < 3; j++) out[i] += p[i].x[j] * p[i].a;
  for (int i = 0; i < 15; i++) { w[i].d = i; w[i + 1].i[0] = i; }
  for (int i = 0; i < 20; i++) { struct complex t = a[i]; a[i] = a[63 - i]; a[63 - i] = t; a[i].re += 1; }
#pragma endscop
  double s = 0;
  for (int i = 0; i < 64; i++) { s += (i + 1) * a[i].re + a[i].im * i; printf("%.17g %.17g\n", b[i].re, b[i].im); }
  for (int i = 0; i < 40; i++) { s += p[i].x[0] * i + p[i].x[2] + p[i].c[1].re; printf("%.17g\n", out[i]); }
  for (int i = 0; i < 15; i++) printf("%.17g %d\n", w[i].d, w[i].i[1]);
  printf("%.17g\n", s);
  return 0;
}
