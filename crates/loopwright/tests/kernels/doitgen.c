/* Every row A[r][q] of a cube is multiplied by the matrix C. */
#include "kernels.h"

#define SIZE_R PICK(9, 25, 50, 150, 250)
#define SIZE_Q PICK(34, 20, 40, 140, 220)
#define SIZE_P PICK(37, 30, 60, 160, 270)
#define R EXTENT(r, SIZE_R)
#define Q EXTENT(q, SIZE_Q)
#define P EXTENT(p, SIZE_P)

static void doitgen(int r, int q, int p, CUBE(A, R, Q, P), MATRIX(C, P, P), VECTOR(row, P))
{
#pragma scop
  for (int i = 0; i < R; i++)
    for (int j = 0; j < Q; j++) {
      for (int k = 0; k < P; k++) {
        row[k] = NUMBER(0.0);
        for (int s = 0; s < P; s++)
          row[k] += A[i][j][s] * C[s][k];
      }
      for (int k = 0; k < P; k++)
        A[i][j][k] = row[k];
    }
#pragma endscop
}

int main(void)
{
  int r = SIZE_R, q = SIZE_Q, p = SIZE_P;
  NEW_CUBE(A, R, Q, P);
  NEW_MATRIX(C, P, P);
  NEW_VECTOR(row, P);
  fill(A, R * Q * P, 1);
  fill(C, P * P, 2);
  start();
  doitgen(r, q, p, A, C, row);
  if (finished())
    print("A", A, R * Q * P);
  return 0;
}
