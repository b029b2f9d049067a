#include <stdio.h>
static int work[4000];
static int text[4000];
int f(int n) {
  int k = 0, total, s, m;
#pragma scop
  total = 0;
  for (int i = 0; i < n; i++) {
    s = text[i];
    while (s > 3) {
      s = s / 2;
      total = total + s % 3;
      if (total % 97 == 5)
        break;
    }
    if (s == 2)
      continue;
    m = s;
    for (int j = 0; j < m; j++)
      work[i] = work[i] + j + total;
    do {
      k = k + 1;
      m = m - 1;
    } while (m > 0);
  }
#pragma endscop
  return total + k;
}
int main(void) {
  for (int i = 0; i < 4000; i++) text[i] = i * 37 % 211;
  int r = f(4000);
  unsigned long sum = 0;
  for (int i = 0; i < 4000; i++) sum = sum * 31 + work[i];
  printf("%lu %d\n", sum, r);
}
