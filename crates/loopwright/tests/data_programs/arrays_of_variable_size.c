// Arrays of variable size in blocks: the result declares them in front, where the blocks may not be reached.
#include <stdio.h>

double a[64], b[64];

void in_a_loop(int n, int m) {
#pragma scop
  for (int i = 0; i < n; i++) {
    double row[m];
    for (int j = 0; j < m; j++)
      row[j] = a[j] + i;
    b[i] += row[m - 1] + row[m / 2];
  }
#pragma endscop
}

void in_a_condition(long n) {
#pragma scop
  if (n < 60) {
    double copy[n][2];
    for (long i = 0; i < n; i++) {
      copy[i][0] = a[i];
      copy[i][1] = b[i];
    }
    for (long i = 0; i < n; i++)
      a[i] = copy[n - 1 - i][0] - copy[n - 1 - i][1];
  }
#pragma endscop
}

// Where the loop is not run, nothing is known of the size.
void without_a_size(int n, int m) {
#pragma scop
  for (int i = 0; i < n; i++) {
    double row[m];
    for (int j = 0; j < m; j++)
      row[j] = a[j] * i;
    b[i] -= row[m - 1];
  }
  if (m <= 0)
    a[1] = 5;
#pragma endscop
}

void at_the_top(int n) {
#pragma scop
  double copy[n + 1];
  for (int i = 0; i <= n; i++)
    copy[i] = a[i];
  for (int i = 0; i < n; i++)
    b[i] = copy[i + 1];
#pragma endscop
}

// The region changes the size, or it is known in the block only.
void sizes(int n) {
  for (int i = 1; i < n; i++) {
    double row[i];
    for (int j = 0; j < i; j++)
      row[j] = a[j] * i;
    b[i] += row[i / 2];
  }
  for (int i = 1; i < n; i++) {
    int m = i + 3;
    double row[m];
    for (int j = 0; j < m; j++)
      row[j] = a[j] * i;
    b[i] += row[m - 1];
  }
}

// The region says what the size is.
int known_sizes(int n) {
  int m;
#pragma scop
  m = n + 1;
  double copy[m][2 * m];
  for (int i = 0; i < m; i++)
    copy[i][m + i] = a[i];
  m = 7;
  double other[m];
  for (int i = 0; i < m; i++)
    other[i] = b[i] + i;
  for (int i = 0; i < n; i++)
    b[i] = copy[n - i][2 * n + 1 - i] + other[i % 7];
#pragma endscop
  return m;
}

int main(void) {
  for (int i = 0; i < 64; i++)
    a[i] = i % 7;
  in_a_loop(40, 30);
  in_a_loop(-1, -1000);
  in_a_loop(0, 2000000000);
  without_a_size(7, 20);
  without_a_size(0, -3);
  in_a_condition(50);
  in_a_condition(4000000000);
  at_the_top(37);
  printf("%d\n", known_sizes(33));
  sizes(33);
  sizes(-1);
  for (int i = 0; i < 64; i++)
    printf("%g %g\n", a[i], b[i]);
  return 0;
}
