/* An iterative transform of radix two over structures. */
#include <math.h>
#include <stdio.h>

#define N 64
typedef struct { double re, im; } complex_t;

static complex_t data[N], twiddle[N / 2];

static void reorder(complex_t *x) {
  for (int i = 1, j = 0; i < N; i++) {
    int bit = N >> 1;
    for (; j & bit; bit >>= 1)
      j ^= bit;
    j ^= bit;
    if (i < j) {
      complex_t t = x[i];
      x[i] = x[j];
      x[j] = t;
    }
  }
}

static void transform(complex_t *x) {
  for (int half = 1; half < N; half *= 2) {
    int stride = N / (2 * half);
#pragma scop
    for (int base = 0; base < N; base += 2 * half)
      for (int k = 0; k < half; k++) {
        complex_t *a = &x[base + k], *b = &x[base + k + half];
        complex_t w = twiddle[k * stride];
        double re = w.re * b->re - w.im * b->im;
        double im = w.re * b->im + w.im * b->re;
        b->re = a->re - re;
        b->im = a->im - im;
        a->re += re;
        a->im += im;
      }
#pragma endscop
  }
}

int main(void) {
  for (int k = 0; k < N / 2; k++) {
    twiddle[k].re = cos(2 * M_PI * k / N);
    twiddle[k].im = -sin(2 * M_PI * k / N);
  }
  for (int i = 0; i < N; i++)
    data[i].re = i % 7 - 3, data[i].im = i % 3;
  reorder(data);
  transform(data);
  double sum = 0;
  for (int i = 0; i < N; i++)
    sum += (data[i].re + 2 * data[i].im) * (i + 1);
  printf("%.6f %.6f\n", data[5].re, sum);
  return 0;
}
