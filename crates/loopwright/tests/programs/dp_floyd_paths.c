/* Shortest paths with the next node of each, and one path walked. */
#include <limits.h>
#include <stdio.h>

#define N 24
#define INF (INT_MAX / 2)

static int dist[N][N], next[N][N];

static void shortest_paths(void) {
#pragma scop
  for (int k = 0; k < N; k++)
    for (int i = 0; i < N; i++)
      for (int j = 0; j < N; j++)
        if (dist[i][k] + dist[k][j] < dist[i][j]) {
          dist[i][j] = dist[i][k] + dist[k][j];
          next[i][j] = next[i][k];
        }
#pragma endscop
}

static void print_path(int from, int to) {
  printf("%d", from);
  while (from != to) {
    from = next[from][to];
    printf(" %d", from);
  }
  printf("\n");
}

int main(void) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      dist[i][j] = i == j ? 0 : INF;
      next[i][j] = -1;
    }
  for (int i = 0; i < N; i++) {
    int a = (i + 1) % N, b = (i * 5 + 3) % N;
    dist[i][a] = 4 + i % 3, next[i][a] = a;
    if (b != i && dist[i][b] > 7 + i % 5)
      dist[i][b] = 7 + i % 5, next[i][b] = b;
  }
  shortest_paths();
  for (int i = 0; i < N; i += 5)
    print_path(i, (i + 17) % N);
  return 0;
}
