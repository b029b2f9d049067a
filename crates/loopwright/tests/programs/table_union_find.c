/* Connected parts of an image by a union of sets. */
#include <stdio.h>

#define W 24
#define H 12

static unsigned char image[H][W];
static int parent[W * H];

static int find(int x) {
  while (parent[x] != x) {
    parent[x] = parent[parent[x]];
    x = parent[x];
  }
  return x;
}

static void unite(int a, int b) {
  a = find(a);
  b = find(b);
  if (a < b)
    parent[b] = a;
  else
    parent[a] = b;
}

static int label(void) {
  int count = 0;
#pragma scop
  for (int k = 0; k < W * H; k++)
    parent[k] = k;
  for (int y = 0; y < H; y++)
    for (int x = 0; x < W; x++) {
      if (!image[y][x])
        continue;
      if (x > 0 && image[y][x - 1])
        unite(y * W + x, y * W + x - 1);
      if (y > 0 && image[y - 1][x])
        unite(y * W + x, (y - 1) * W + x);
    }
  for (int y = 0; y < H; y++)
    for (int x = 0; x < W; x++)
      if (image[y][x] && parent[y * W + x] == y * W + x)
        count++;
#pragma endscop
  return count;
}

int main(void) {
  for (int y = 0; y < H; y++)
    for (int x = 0; x < W; x++)
      image[y][x] = (x * x + 3 * y * y + x * y) % 7 < 3;
  int count = label();
  printf("%d %d\n", count, find(H * W - 1));
  return 0;
}
