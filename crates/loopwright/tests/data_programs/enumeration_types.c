// Enumerations without negative constants are unsigned for GCC and Clang: comparisons with `int`s are, too.
#include <stdio.h>

enum { SIZE = 40 };
enum kind { NONE, SMALL = 3, LARGE = 30 };
enum sign { MINUS = -1, PLUS = 1 };
typedef enum kind kind_name;
struct item { enum kind kind; int n; };
enum { HIGH = 0x40000000 } high = HIGH;

int a[SIZE], b[SIZE], c[SIZE];
struct item items[SIZE];
enum kind kinds[SIZE];

// `i - 5 < k` wraps around below 5.
void compare(int n, enum kind k, kind_name m) {
#pragma scop
  for (int i = 0; i < n; i++) {
    if (i - 5 < k)
      a[i] += 1;
    if (i - 7 < m)
      b[i] += 2;
  }
#pragma endscop
}

void in_memory(int n) {
#pragma scop
  for (int i = 0; i < n; i++) {
    if (i - 5 < items[i].kind)
      a[i] += 4;
    if (i - 9 > kinds[i])
      b[i] += 8;
    c[i] = i - 9 < kinds[3] ? 1 : 2;
  }
#pragma endscop
}

// A negative constant makes it signed.
void signed_one(int n, enum sign s) {
#pragma scop
  for (int i = 0; i < n; i++)
    if (i - 5 < s)
      a[i] += 16;
#pragma endscop
}

void loops(enum kind first, enum kind last) {
#pragma scop
  for (enum kind k = first; k < last; k++)
    b[k] += 32;
  for (int i = 0; i < last; i++)
    c[i] += 64;
#pragma endscop
}

void local(int n) {
  enum level { LOW, MIDDLE, TOP = 9 } level = MIDDLE;
#pragma scop
  for (int i = 0; i < n; i++)
    if (i - 20 < level)
      c[i] += 128;
#pragma endscop
}

int main(void) {
  for (int i = 0; i < SIZE; i++) {
    a[i] = b[i] = c[i] = i;
    kinds[i] = i % 3 ? SMALL : LARGE;
    items[i].kind = i % 4 ? NONE : LARGE;
  }
  compare(SIZE, SMALL, LARGE);
  in_memory(SIZE);
  signed_one(SIZE, PLUS);
  signed_one(SIZE, MINUS);
  loops(SMALL, LARGE);
  local(SIZE);
  for (int i = 0; i < SIZE; i++)
    printf("%d %d %d\n", a[i], b[i], c[i]);
  return 0;
}
