/* The longest earlier match at each place of a text. */
#include <stdio.h>
#include <string.h>

#define WINDOW 32
#define MAX_LENGTH 16

typedef struct { int distance, length; } match;

static match matches[512];

static void find_matches(const unsigned char *text, int n) {
#pragma scop
  for (int at = 0; at < n; at++) {
    int best_length = 0, best_distance = 0;
    for (int distance = 1; distance <= WINDOW && distance <= at; distance++) {
      int length = 0;
      while (length < MAX_LENGTH && at + length < n && text[at + length] == text[at + length - distance])
        length++;
      if (length > best_length) {
        best_length = length;
        best_distance = distance;
      }
    }
    matches[at].length = best_length;
    matches[at].distance = best_distance;
  }
#pragma endscop
}

int main(void) {
  const char *text = "she sells sea shells by the sea shore; the shells she sells are sea shells for sure";
  int n = (int)strlen(text), literals = 0, pairs = 0;
  find_matches((const unsigned char *)text, n);
  for (int at = 0; at < n;)
    if (matches[at].length >= 3)
      pairs++, at += matches[at].length;
    else
      literals++, at++;
  printf("%d literals, %d pairs\n", literals, pairs);
  return 0;
}
