/* Local alignment of two texts, and the way back from the best cell. */
#include <stdio.h>
#include <string.h>

#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define LEN 64

enum move { STOP, DIAGONAL, UP, LEFT };

static int score[LEN + 1][LEN + 1];
static unsigned char from[LEN + 1][LEN + 1];

static int similarity(char a, char b) {
  return a == b ? 3 : -2;
}

static void fill(const char *a, int n, const char *b, int m) {
#pragma scop
  for (int i = 1; i <= n; i++) {
    for (int j = 1; j <= m; j++) {
      int diagonal = score[i - 1][j - 1] + similarity(a[i - 1], b[j - 1]);
      int up = score[i - 1][j] - 2;
      int left = score[i][j - 1] - 2;
      int best = MAX(0, MAX(diagonal, MAX(up, left)));
      score[i][j] = best;
      if (best == 0)
        from[i][j] = STOP;
      else if (best == diagonal)
        from[i][j] = DIAGONAL;
      else if (best == up)
        from[i][j] = UP;
      else
        from[i][j] = LEFT;
    }
  }
#pragma endscop
}

int main(void) {
  const char *a = "TACGGGCCCGCTACAAGTTCGATGACCATTG", *b = "TAGCCCTATCGGTCAACATTCGATGCCATTG";
  int n = (int)strlen(a), m = (int)strlen(b);
  fill(a, n, b, m);
  int best = 0, bi = 0, bj = 0;
  for (int i = 0; i <= n; i++)
    for (int j = 0; j <= m; j++)
      if (score[i][j] > best)
        best = score[i][j], bi = i, bj = j;
  printf("%d at %d %d: ", best, bi, bj);
  while (from[bi][bj] != STOP) {
    switch (from[bi][bj]) {
    case DIAGONAL: putchar(a[--bi]); bj--; break;
    case UP: putchar('^'); bi--; break;
    default: putchar('-'); bj--; break;
    }
  }
  putchar('\n');
  return 0;
}
