/* Smoothing of an image by recursive filters of second order: along the rows from left to right and
 * from right to left, then the same along the columns. */
#include "kernels.h"

#define SIZE_W PICK(45, 192, 720, 4096, 7680)
#define SIZE_H PICK(41, 128, 480, 2160, 4320)
#define W EXTENT(w, SIZE_W)
#define H EXTENT(h, SIZE_H)

static void deriche(int w, int h, DATA alpha, MATRIX(in, W, H), MATRIX(out, W, H),
                    MATRIX(ahead, W, H), MATRIX(back, W, H))
{
  int i, j;
  DATA last_in, last, before_last, next_in, after_next_in, next, after_next;
  DATA gain, a1, a2, a3, a4, a5, a6, a7, a8, b1, b2, c1, c2;
#pragma scop
  gain = (NUMBER(1.0) - EXPONENTIAL(-alpha)) * (NUMBER(1.0) - EXPONENTIAL(-alpha)) /
         (NUMBER(1.0) + NUMBER(2.0) * alpha * EXPONENTIAL(-alpha) -
          EXPONENTIAL(NUMBER(2.0) * alpha));
  a1 = a5 = gain;
  a2 = a6 = gain * EXPONENTIAL(-alpha) * (alpha - NUMBER(1.0));
  a3 = a7 = gain * EXPONENTIAL(-alpha) * (alpha + NUMBER(1.0));
  a4 = a8 = -gain * EXPONENTIAL(NUMBER(-2.0) * alpha);
  b1 = POWER(NUMBER(2.0), -alpha);
  b2 = -EXPONENTIAL(NUMBER(-2.0) * alpha);
  c1 = c2 = 1;

  for (i = 0; i < W; i++) {
    last = NUMBER(0.0);
    before_last = NUMBER(0.0);
    last_in = NUMBER(0.0);
    for (j = 0; j < H; j++) {
      ahead[i][j] = a1 * in[i][j] + a2 * last_in + b1 * last + b2 * before_last;
      last_in = in[i][j];
      before_last = last;
      last = ahead[i][j];
    }
  }
  for (i = 0; i < W; i++) {
    next = NUMBER(0.0);
    after_next = NUMBER(0.0);
    next_in = NUMBER(0.0);
    after_next_in = NUMBER(0.0);
    for (j = H - 1; j >= 0; j--) {
      back[i][j] = a3 * next_in + a4 * after_next_in + b1 * next + b2 * after_next;
      after_next_in = next_in;
      next_in = in[i][j];
      after_next = next;
      next = back[i][j];
    }
  }
  for (i = 0; i < W; i++)
    for (j = 0; j < H; j++)
      out[i][j] = c1 * (ahead[i][j] + back[i][j]);

  for (j = 0; j < H; j++) {
    last_in = NUMBER(0.0);
    last = NUMBER(0.0);
    before_last = NUMBER(0.0);
    for (i = 0; i < W; i++) {
      ahead[i][j] = a5 * out[i][j] + a6 * last_in + b1 * last + b2 * before_last;
      last_in = out[i][j];
      before_last = last;
      last = ahead[i][j];
    }
  }
  for (j = 0; j < H; j++) {
    next_in = NUMBER(0.0);
    after_next_in = NUMBER(0.0);
    next = NUMBER(0.0);
    after_next = NUMBER(0.0);
    for (i = W - 1; i >= 0; i--) {
      back[i][j] = a7 * next_in + a8 * after_next_in + b1 * next + b2 * after_next;
      after_next_in = next_in;
      next_in = out[i][j];
      after_next = next;
      next = back[i][j];
    }
  }
  for (i = 0; i < W; i++)
    for (j = 0; j < H; j++)
      out[i][j] = c2 * (ahead[i][j] + back[i][j]);
#pragma endscop
}

int main(void)
{
  int w = SIZE_W, h = SIZE_H;
  NEW_MATRIX(in, W, H);
  NEW_MATRIX(out, W, H);
  NEW_MATRIX(ahead, W, H);
  NEW_MATRIX(back, W, H);
  fill(in, W * H, 1);
  start();
  deriche(w, h, NUMBER(0.25), in, out, ahead, back);
  if (finished())
    print("out", out, W * H);
  return 0;
}
