/* --eliminate-dead-code
   accesses of elements that depend on data: one of the elements was taken for all of them, so that a
   later write of one element hid the others from a read, and made the write dead. */
#include "values.h"

static unsigned long A[8], B[8], X[8];
static void p0(void)
{
#pragma scop
  unsigned long C[4];
  C[1] = X[3];
  C[2] = 3;
  A[0] = C[X[0] % 2 + 1];
  C[1] = 7;
  A[1] = C[1];
  B[X[1] % 8] += 5;
  B[2] = A[0];
  A[2] = B[5];
  B[7] = X[2];
#pragma endscop
}

int main(void)
{
  for (int run = 0; run < 4; run++) {
    start_unsigned(A, 8, 0);
    start_unsigned(B, 8, 1);
    start_unsigned(X, 8, run);
    p0();
    print_unsigned(A, 8, "A");
    print_unsigned(B, 8, "B");
  }
  return 0;
}
