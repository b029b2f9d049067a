// integers at places that data decide: each update is one instruction
#include <stdio.h>

static void bytes(int n, int h[restrict 256], const unsigned char a[restrict n])
{
#pragma scop
  for (int i = 0; i < n; i++)
    h[a[i]]++;
#pragma endscop
}

// pairs of neighbours, in a matrix
static void pairs(int n, int m, unsigned g[restrict 8][8], int a[restrict n][m])
{
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m - 1; j++)
      g[a[i][j]][a[i][j + 1]] += 1;
#pragma endscop
}

// both ends of each edge, from zero, with a condition and what is read afterwards
static void degrees(int n, int m, int degree[restrict n], int from[restrict m], int to[restrict m], int twice[restrict n])
{
#pragma scop
  for (int i = 0; i < n; i++)
    degree[i] = 0;
  for (int e = 0; e < m; e++) {
    if (from[e] != to[e])
      degree[from[e]] = degree[from[e]] + 1;
    degree[to[e]] -= -1;
  }
  for (int i = 0; i < n; i++)
    twice[i] = 2 * degree[i];
#pragma endscop
}

// bits and numbers of 64 bits
static void marks(int n, unsigned set[restrict 16], unsigned odd[restrict 16], int key[restrict n])
{
#pragma scop
  for (int i = 0; i < n; i++) {
    set[key[i] / 32] |= 1u << key[i] % 32;
    odd[key[i] / 32] ^= 1u << key[i] % 32;
  }
#pragma endscop
}

static void weights(int n, long total[restrict 32], int key[restrict n], int weight[restrict n])
{
#pragma scop
  for (int i = 0; i < n; i++)
    total[key[i] % 32] += weight[i];
#pragma endscop
}

static unsigned char a[5000];
static int h[256], image[40][50], key[5000], weight[5000], from[3000], to[3000], degree[100], twice[100];
static unsigned g[8][8], set[16], odd[16];
static long total[32];

int main(void)
{
  for (int i = 0; i < 5000; i++) {
    a[i] = (unsigned char) (i * i / 7);
    key[i] = (i * 37 + i / 11) % 512;
    weight[i] = i % 19 - 9;
  }
  for (int i = 0; i < 40; i++)
    for (int j = 0; j < 50; j++)
      image[i][j] = (i * j + i / 3) % 8;
  for (int e = 0; e < 3000; e++) {
    from[e] = e * e % 100;
    to[e] = (e * 7 + e / 5) % 100;
  }
  bytes(0, h, a);
  bytes(5000, h, a);
  pairs(40, 50, g, image);
  degrees(100, 3000, degree, from, to, twice);
  marks(5000, set, odd, key);
  weights(5000, total, key, weight);
  for (int i = 0; i < 256; i++)
    printf("%d ", h[i]);
  for (int i = 0; i < 64; i++)
    printf("%u ", g[i / 8][i % 8]);
  for (int i = 0; i < 100; i++)
    printf("%d %d ", degree[i], twice[i]);
  for (int i = 0; i < 16; i++)
    printf("%x %x ", set[i], odd[i]);
  for (int i = 0; i < 32; i++)
    printf("%ld\n", total[i]);
  return 0;
}
