/* Red and black points in turn until the change is small. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#define N 34
static double grid[N][N], rhs[N][N];

static double sweep(int colour) {
  double change = 0.0;
#pragma scop
  for (int i = 1; i < N - 1; i++)
    for (int j = 1 + (i + colour) % 2; j < N - 1; j += 2) {
      double old = grid[i][j];
      grid[i][j] = 0.25 * (grid[i - 1][j] + grid[i + 1][j] + grid[i][j - 1] + grid[i][j + 1] - rhs[i][j]);
      double d = fabs(grid[i][j] - old);
      if (d > change)
        change = d;
    }
#pragma endscop
  return change;
}

int main(void) {
  memset(grid, 0, sizeof grid);
  for (int i = 0; i < N; i++) {
    grid[i][0] = 1.0;
    grid[0][i] = i / (double)N;
    for (int j = 0; j < N; j++)
      rhs[i][j] = (i == N / 2 && j == N / 2) ? 0.5 : 0.0;
  }
  int it;
  for (it = 0; it < 500; it++) {
    double red = sweep(0), black = sweep(1);
    if (fmax(red, black) < 1e-6)
      break;
  }
  printf("%d %.8f %.8f\n", it, grid[N / 2][N / 2], grid[3][5]);
  return 0;
}
