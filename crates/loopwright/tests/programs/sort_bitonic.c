/* A bitonic network over a power of two. */
#include <stdio.h>

static void compare_exchange(int *a, int *b, int ascending) {
  if ((*a > *b) == ascending) {
    int t = *a;
    *a = *b;
    *b = t;
  }
}

static void bitonic_sort(int *data, int n) {
  for (int k = 2; k <= n; k *= 2) {
    for (int j = k / 2; j > 0; j /= 2) {
#pragma scop
      for (int i = 0; i < n; i++) {
        int partner = i ^ j;
        if (partner > i)
          compare_exchange(&data[i], &data[partner], (i & k) == 0);
      }
#pragma endscop
    }
  }
}

int main(void) {
  int data[256];
  unsigned seed = 12345;
  for (int i = 0; i < 256; i++) {
    seed = seed * 1103515245u + 12345u;
    data[i] = (int)(seed >> 16) % 1000;
  }
  bitonic_sort(data, 256);
  long sum = 0;
  for (int i = 0; i < 256; i++) {
    sum += (long)data[i] * i;
    if (i && data[i - 1] > data[i])
      printf("wrong at %d\n", i);
  }
  printf("%d %d %ld\n", data[0], data[255], sum);
  return 0;
}
