/* Heat flow in the plane by alternating directions: each time step solves tridiagonal systems
 * along the columns, then along the rows (forward elimination into p and q, back substitution). */
#include "kernels.h"

#define SIZE_T PICK(5, 40, 100, 500, 1000)
#define SIZE_N PICK(37, 60, 200, 1000, 2000)
#define T EXTENT(t, SIZE_T)
#define N EXTENT(n, SIZE_N)

static void adi(int t, int n, MATRIX(u, N, N), MATRIX(v, N, N), MATRIX(p, N, N), MATRIX(q, N, N))
{
  int step, i, j;
  DATA width, height, duration;
  DATA across, along;
  DATA a, b, c, d, e, f;
#pragma scop
  width = NUMBER(1.0) / (DATA)N;
  height = NUMBER(1.0) / (DATA)N;
  duration = NUMBER(1.0) / (DATA)T;
  across = NUMBER(2.0) * duration / (width * width);
  along = NUMBER(1.0) * duration / (height * height);
  a = -across / NUMBER(2.0);
  b = NUMBER(1.0) + across;
  c = a;
  d = -along / NUMBER(2.0);
  e = NUMBER(1.0) + along;
  f = d;
  for (step = 1; step <= T; step++) {
    for (i = 1; i < N - 1; i++) {
      v[0][i] = NUMBER(1.0);
      p[i][0] = NUMBER(0.0);
      q[i][0] = v[0][i];
      for (j = 1; j < N - 1; j++) {
        p[i][j] = -c / (a * p[i][j - 1] + b);
        q[i][j] = ((NUMBER(1.0) + NUMBER(2.0) * d) * u[j][i] - d * u[j][i - 1] - f * u[j][i + 1] -
                   a * q[i][j - 1]) /
                  (a * p[i][j - 1] + b);
      }
      v[N - 1][i] = NUMBER(1.0);
      for (j = N - 2; j >= 1; j--)
        v[j][i] = p[i][j] * v[j + 1][i] + q[i][j];
    }
    for (i = 1; i < N - 1; i++) {
      u[i][0] = NUMBER(1.0);
      p[i][0] = NUMBER(0.0);
      q[i][0] = u[i][0];
      for (j = 1; j < N - 1; j++) {
        p[i][j] = -f / (d * p[i][j - 1] + e);
        q[i][j] = ((NUMBER(1.0) + NUMBER(2.0) * a) * v[i][j] - a * v[i - 1][j] - c * v[i + 1][j] -
                   d * q[i][j - 1]) /
                  (d * p[i][j - 1] + e);
      }
      u[i][N - 1] = NUMBER(1.0);
      for (j = N - 2; j >= 1; j--)
        u[i][j] = p[i][j] * u[i][j + 1] + q[i][j];
    }
  }
#pragma endscop
}

int main(void)
{
  int t = SIZE_T, n = SIZE_N;
  NEW_MATRIX(u, N, N);
  NEW_MATRIX(v, N, N);
  NEW_MATRIX(p, N, N);
  NEW_MATRIX(q, N, N);
  fill(u, N * N, 1);
  zero(v, N * N);
  zero(p, N * N);
  zero(q, N * N);
  start();
  adi(t, n, u, v, p, q);
  if (finished())
    print("u", u, N * N);
  return 0;
}
