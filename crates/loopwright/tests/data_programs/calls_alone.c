/* Functions that access an element whose name does not stand in the call. */
#include <stdio.h>
double v[20], A[20][20]; double w[20];
static void addv(int i) { v[3] = i; }
static void put(double *a) { a[3] = 1; }
static void fill(double *a, double x) { for (int k = 0; k < 20; k++) a[k] = x; }
int main(void) {
#pragma scop
  for (int i = 0; i < 20; i++) addv(i);
  for (int i = 0; i < 20; i++) put(w);
  for (int i = 0; i < 20; i++) fill(A[i], i);
  for (int i = 0; i < 20; i++) fill(w, i);
#pragma endscop
  for (int i = 0; i < 20; i++) printf("%g %g %g\n", v[i], w[i], A[i][3]);
  return 0; }
