// Enumerations that regions declare: their constants are written as numbers.
#include <stdio.h>

enum { SIZE = 40 };

double a[SIZE];
int kinds[SIZE];

void shift(void) {
#pragma scop
  enum { BACK = -2, STEP = 3, LAST = SIZE + BACK, TWICE = LAST * 2 };
  for (int i = STEP; i < LAST; i += STEP)
    a[i + BACK] += (TWICE) - BACK;
#pragma endscop
}

// In statements with inner control flow, in conditions, and as values.
void classify(int n) {
#pragma scop
  enum kind { NONE, SMALL, LARGE = 7 };
  for (int i = 0; i < n; i++) {
    kinds[i] = a[i] > LARGE ? LARGE : SMALL;
    if (i < SMALL)
      kinds[i] = NONE;
    int k = kinds[i];
    while (k > SMALL) {
      a[i] += -LARGE;
      k -= LARGE;
    }
    switch (kinds[i]) {
    case SMALL:
      a[i] += 0.5;
      break;
    case LARGE:
      a[i] *= 2;
      break;
    }
  }
#pragma endscop
}

// What is outside has its name again.
int outside(void) {
  int sum = 0;
#pragma scop
  for (int i = 0; i < SIZE; i++) {
    enum { SIZE = 2 };
    sum += i * SIZE;
  }
#pragma endscop
  return sum + SIZE;
}

int main(void) {
  for (int i = 0; i < SIZE; i++)
    a[i] = i * 5 % 17;
  shift();
  classify(SIZE);
  classify(0);
  printf("%d\n", outside());
  for (int i = 0; i < SIZE; i++)
    printf("%g %d\n", a[i], kinds[i]);
  return 0;
}
