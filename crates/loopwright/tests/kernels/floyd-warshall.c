/* Lengths of shortest paths between all pairs of nodes. */
#define DATA int
#define FORMAT "%d"
#include "kernels.h"

#define SIZE_N PICK(41, 180, 500, 2800, 5600)
#define N EXTENT(n, SIZE_N)

static void shortest_paths(int n, MATRIX(length, N, N))
{
  int i, j, k;
#pragma scop
  for (k = 0; k < N; k++)
    for (i = 0; i < N; i++)
      for (j = 0; j < N; j++)
        length[i][j] = length[i][j] < length[i][k] + length[k][j] ? length[i][j]
                                                                  : length[i][k] + length[k][j];
#pragma endscop
}

int main(void)
{
  int n = SIZE_N;
  NEW_MATRIX(length, N, N);
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      int distance = (int)(1000 * (sample(1, i * N + j) - 1));
      length[i][j] = i == j ? 0 : distance < 300 ? 1 + distance % 23 : 9999;
    }
  start();
  shortest_paths(n, length);
  if (finished())
    print("length", length, N * N);
  return 0;
}
