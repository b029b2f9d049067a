/* A sparse matrix by rows becomes one by columns, with counting and prefix sums. */
#include <stdio.h>
#include <stdlib.h>

typedef struct {
  int n_rows, n_cols, n_values;
  int *start;
  int *index;
  double *value;
} matrix_t;

static matrix_t *new_matrix(int rows, int cols, int values) {
  matrix_t *m = malloc(sizeof *m);
  if (!m)
    exit(1);
  m->n_rows = rows;
  m->n_cols = cols;
  m->n_values = values;
  m->start = calloc(rows + 1, sizeof(int));
  m->index = malloc(values * sizeof(int));
  m->value = malloc(values * sizeof(double));
  return m;
}

static matrix_t *transpose(const matrix_t *a) {
  matrix_t *t = new_matrix(a->n_cols, a->n_rows, a->n_values);
  int *next = malloc((a->n_cols + 1) * sizeof(int));
  int n_cols = a->n_cols, n_rows = a->n_rows, n_values = a->n_values;
  int *count = t->start;
  const int *index = a->index, *start = a->start;
#pragma scop
  for (int k = 0; k < n_values; k++)
    count[index[k] + 1]++;
  for (int j = 0; j < n_cols; j++)
    count[j + 1] += count[j];
  for (int j = 0; j <= n_cols; j++)
    next[j] = count[j];
#pragma endscop
  for (int i = 0; i < n_rows; i++)
    for (int k = start[i]; k < start[i + 1]; k++) {
      int place = next[index[k]]++;
      t->index[place] = i;
      t->value[place] = a->value[k];
    }
  free(next);
  return t;
}

int main(void) {
  int n = 60, per_row = 4;
  matrix_t *a = new_matrix(n, n, n * per_row);
  for (int i = 0; i < n; i++) {
    a->start[i + 1] = a->start[i] + per_row;
    for (int k = 0; k < per_row; k++) {
      a->index[a->start[i] + k] = (i * 7 + k * 13) % n;
      a->value[a->start[i] + k] = 0.5 * i - k;
    }
  }
  matrix_t *t = transpose(a);
  double sum = 0;
  for (int j = 0; j < n; j++)
    for (int k = t->start[j]; k < t->start[j + 1]; k++)
      sum += t->value[k] * (j + 1) + t->index[k] % 5;
  printf("%d %.6f\n", t->start[n], sum);
  return 0;
}
