// launches 3, copies in 7 (11684 bytes), copies out 3 (7040 bytes)
// Statements with loops and variables of their own: rows of a sparse matrix, an escape time, subscripts that depend on data in two dimensions.
#include <math.h>
#include <stdio.h>
enum { N = 40, ENTRIES = 200 };
static int row[N + 1], column[ENTRIES], count[N][N], which[N];
static double value[ENTRIES], x[N], y[N], table[N][7];
static void product(int n)
{
#pragma scop
  for (int i = 0; i < n; i++) {
    double sum = 0;
    for (int k = row[i]; k < row[i + 1]; k++)
      sum += value[k] * x[column[k]];
    y[i] = sum;
  }
#pragma endscop
}
static void escape(int n)
{
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      double re = 0, im = 0;
      int steps = 0;
      while (re * re + im * im < 4 && steps < 50) {
        const double next = re * re - im * im + (j - 25) / 15.0;
        im = 2 * re * im + (i - 20) / 15.0;
        re = next;
        if (fabs(re) > 1e3)
          break;
        steps++;
      }
      count[i][j] = steps;
    }
#pragma endscop
}
static void look_up(int n)
{
#pragma scop
  for (int i = 0; i < n; i++)
    x[i] = table[which[i]][count[i][i] % 7] + table[i][which[i] % 7];
#pragma endscop
}
int main(void)
{
  for (int i = 0; i < N; i++) {
    row[i + 1] = row[i] + i % 6;
    which[i] = i * 7 % N;
    x[i] = i / 3.0;
    for (int j = 0; j < 7; j++)
      table[i][j] = 7 * i + j;
  }
  for (int k = 0; k < ENTRIES; k++)
    column[k] = k * 13 % N, value[k] = k % 11 / 7.0;
  product(N);
  escape(N);
  look_up(N);
  for (int i = 0; i < N; i++) {
    printf("%a %a\n", x[i], y[i]);
    for (int j = 0; j < N; j++)
      printf("%d\n", count[i][j]);
  }
  return 0;
}
