#include <math.h>
void kernel(int M, int N, float data[N + 1][M + 1], float symmat[M + 1][M + 1], float mean[M + 1],
            float stddev[M + 1])
{
  int i, j, j1, j2;
#pragma scop
  for (i = 1; i <= N; i++)
    for (j = 1; j <= M; j++) {
      data[i][j] -= mean[j];
      data[i][j] /= sqrt(N) * stddev[j];
    }
  for (j1 = 1; j1 <= M - 1; j1++) {
    symmat[j1][j1] = 1.0;
    for (j2 = j1 + 1; j2 <= M; j2++) {
      symmat[j1][j2] = 0.0;
      for (i = 1; i <= N; i++)
        symmat[j1][j2] += (data[i][j1] * data[i][j2]);
      symmat[j2][j1] = symmat[j1][j2];
    }
  }
#pragma endscop
}
