// copies in 15 (123504 bytes), copies out 5 (64392 bytes)
// Rows of whole vectors: of double, whose sizes are constants and then symbolic, and of float.
#include <stdio.h>
#define N 48
static double A[N][32], B[32][N], C[N][N];
static float D[N][32], E[32][N], F[N][N];
static void constants(double alpha)
{
#pragma scop
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      for (int k = 0; k < 32; k++)
        C[i][j] += alpha * A[i][k] * B[k][j];
#pragma endscop
}
static void floats(void)
{
#pragma scop
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      for (int k = 0; k < 32; k++)
        F[i][j] += D[i][k] * E[k][j];
#pragma endscop
}
static void symbolic(int n, int m, int p, double P[n][m], double Q[n][p], double R[p][m])
{
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      for (int k = 0; k < p; k++)
        P[i][j] += Q[i][k] * R[k][j];
#pragma endscop
}
static double P[70 * 70], Q[70 * 70], R[70 * 70];
int main(void)
{
  for (int i = 0; i < N; i++)
    for (int k = 0; k < 32; k++) {
      A[i][k] = (3 * i + k) % 7 / 3.0;
      B[k][i] = (i + 5 * k) % 11 / 7.0;
      D[i][k] = (i + 2 * k) % 5 / 3.0f;
      E[k][i] = (7 * i + k) % 13 / 9.0f;
    }
  for (int i = 0; i < 70 * 70; i++) {
    P[i] = i % 3;
    Q[i] = i % 7 / 3.0;
    R[i] = i % 11 / 7.0;
  }
  constants(1.5);
  floats();
  symbolic(67, 66, 16, (void *) P, (void *) Q, (void *) R);
  symbolic(5, 33, 16, (void *) P, (void *) Q, (void *) R);
  symbolic(3, 2, 9, (void *) P, (void *) Q, (void *) R);
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      printf("%a %a\n", C[i][j], F[i][j]);
  for (int i = 0; i < 70 * 70; i++)
    printf("%a\n", P[i]);
  return 0;
}
