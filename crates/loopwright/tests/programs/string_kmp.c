/* The failure table of a pattern, and the places where it occurs. */
#include <stdio.h>
#include <string.h>

static int failure[64];

static int search(const char *text, int n, const char *pattern, int m, int *found) {
  int count = 0, k = 0;
#pragma scop
  failure[0] = 0;
  for (int i = 1; i < m; i++) {
    while (k > 0 && pattern[k] != pattern[i])
      k = failure[k - 1];
    if (pattern[k] == pattern[i])
      k++;
    failure[i] = k;
  }
  k = 0;
  for (int i = 0; i < n; i++) {
    while (k > 0 && pattern[k] != text[i])
      k = failure[k - 1];
    if (pattern[k] == text[i])
      k++;
    if (k == m) {
      found[count++] = i - m + 1;
      k = failure[k - 1];
    }
  }
#pragma endscop
  return count;
}

int main(void) {
  const char *text = "abababcabababcababcabcababab", *pattern = "ababc";
  int found[32];
  int n = search(text, (int)strlen(text), pattern, (int)strlen(pattern), found);
  for (int i = 0; i < n; i++)
    printf("%d ", found[i]);
  printf("%d %d\n", n, failure[3]);
  return 0;
}
