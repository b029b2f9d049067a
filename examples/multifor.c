/* Loops that advance together: loopwright compile examples/multifor.c --multifor guards|separated
   See docs/multifor.md. */
#include <stdio.h>

#define SIZE 48

static double u[SIZE][SIZE];
static int message[SIZE], secret[SIZE];
static double triangle[SIZE][SIZE], rectangle[SIZE][SIZE];

/* A cipher in two stages: while one thread encrypts letter p, another one encrypts letter p - 1 again. */
static void encrypt(int k) {
#pragma multifor lockstep num_threads(2)
  multifor (i1 = 0, i2 = 0; i1 < k, i2 < k; i1++, i2++; 1, 1; 0, 1) {
    0: secret[i1] = 3 * message[i1] + 1;
    1: secret[i2] = secret[i2] * 7 % 101;
  }
}

/* Red-black relaxation in one sweep: red points of two lattices, and black ones as soon as their neighbours are there.
   The columns of a row are independent. */
static void relax(int n) {
#pragma multifor check(loops) parallel
  multifor (i0 = 1, i1 = 2, i2 = 1, i3 = 2; i0 < n - 1, i1 < n - 1, i2 < n - 1, i3 < n - 1;
            i0 += 2, i1 += 2, i2 += 2, i3 += 2; 2, 2, 2, 2; 0, 1, 1, 2)
    multifor (j0 = 1, j1 = 2, j2 = 2, j3 = 1; j0 < n - 1, j1 < n - 1, j2 < n - 1, j3 < n - 1;
              j0 += 2, j1 += 2, j2 += 2, j3 += 2; 2, 2, 2, 2; 0, 1, 1, 0) {
      0: u[i0][j0] = 0.25 * (u[i0][j0 + 1] + u[i0][j0 - 1] + u[i0 - 1][j0] + u[i0 + 1][j0]);
      1: u[i1][j1] = 0.25 * (u[i1][j1 + 1] + u[i1][j1 - 1] + u[i1 - 1][j1] + u[i1 + 1][j1]);
      2: u[i2][j2] = 0.25 * (u[i2][j2 + 1] + u[i2][j2 - 1] + u[i2 - 1][j2] + u[i2 + 1][j2]);
      3: u[i3][j3] = 0.25 * (u[i3][j3 + 1] + u[i3][j3 - 1] + u[i3 - 1][j3] + u[i3 + 1][j3]);
    }
}

/* A triangle and a rectangle with as many elements: iteration K of one with iteration K of the other. */
static void shapes(int n) {
#pragma multifor ranks
  multifor (i = 1, k = 0; i < n, k < (n - 1) / 2; i++, k++; 1, 1; 0, 0)
    multifor (j = 0, l = 0; j < i, l < n; j++, l++; 1, 1; 0, 0) {
      0: triangle[i][j] = i - 2 * j;
      1: rectangle[k][l] = k + 3 * l;
    }
}

int main(void) {
  double sum = 0;
  for (int i = 0; i < SIZE; i++) {
    message[i] = i * i % 26;
    for (int j = 0; j < SIZE; j++) u[i][j] = (i * 5 + j * 11) % 7;
  }
  encrypt(SIZE);
  relax(SIZE);
  shapes(SIZE - 1);
  for (int i = 0; i < SIZE; i++) {
    printf("%d ", secret[i]);
    for (int j = 0; j < SIZE; j++) sum += u[i][j] * (i + 1) + triangle[i][j] * j - rectangle[i][j];
  }
  printf("%a\n", sum);
  return 0;
}
