/* Sizes of unsigned types: parts of generated expressions are negative. */
#include <stdio.h>
#include <stddef.h>
static double u[23][37], v[23][37], w[400];
static void smooth(size_t n, size_t m)
{
#pragma scop
  for (int t = 0; t < 6; t++) {
    for (size_t i = 1; i < n - 1; i++)
      for (size_t j = 1; j < m - 1; j++)
        v[i][j] = 0.25 * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1]);
    for (size_t i = 1; i < n - 1; i++)
      for (size_t j = 1; j < m - 1; j++) u[i][j] = v[i][j];
  }
#pragma endscop
}
static void backwards(unsigned n, unsigned char k)
{
#pragma scop
  for (unsigned t = 0; t < 5; t++)
    for (unsigned i = 2; i < n; i++) w[n - 1 - i] = w[n - i] * 0.5 + w[n + 1 - i] + k;
  for (unsigned short i = 0; i < n; i++) w[(unsigned char) i] += i % 3u;
#pragma endscop
}
int main(void)
{
  for (int i = 0; i < 23; i++)
    for (int j = 0; j < 37; j++) u[i][j] = v[i][j] = (i * 5 + j) % 13;
  for (int i = 0; i < 400; i++) w[i] = i % 17;
  for (int n = 1; n < 24; n += 3)
    for (int m = 1; m < 38; m += 4) smooth(n, m);
  for (int n = 1; n < 380; n += 40) backwards(n, n % 7);
  for (int i = 0; i < 23; i++)
    for (int j = 0; j < 37; j++) printf("%.17g %.17g\n", u[i][j], v[i][j]);
  for (int i = 0; i < 400; i++) printf("%.17g\n", w[i]);
  return 0;
}
