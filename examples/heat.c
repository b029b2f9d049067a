/* Heat in a plate: each point becomes the mean of its neighbours, again and again, in place.
 * The tutorial (docs/tutorial.md) works with this program.
 */
#include <stdio.h>
#include <time.h>

#define N 1500
#define STEPS 200

static double plate[N][N];

static void relax(int steps, int n)
{
#pragma scop
  for (int t = 0; t < steps; t++)
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        plate[i][j] = 0.25 * (plate[i - 1][j] + plate[i + 1][j] + plate[i][j - 1] + plate[i][j + 1]);
#pragma endscop
}

int main(void)
{
  for (int i = 0; i < N; i++)
    plate[i][0] = plate[0][i] = 100.0;
  struct timespec start, end;
  clock_gettime(CLOCK_MONOTONIC, &start);
  relax(STEPS, N);
  clock_gettime(CLOCK_MONOTONIC, &end);
  double sum = 0;
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      sum += plate[i][j];
  printf("sum %.17g\n", sum);
  printf("seconds %.3f\n",
         (double)(end.tv_sec - start.tv_sec) + 1e-9 * (double)(end.tv_nsec - start.tv_nsec));
  return 0;
}
