#ifndef LOOPWRIGHT_ROWS_APART
#define LOOPWRIGHT_ROWS_APART
/* Memory that a region accesses: bytes from `start` to before `end`, counted from where the rows of `n_tables` tables of
   pointers in each other begin, or from `table` itself; nothing if that is null. */
struct loopwright_rows {
  const void *table;
  int n_tables, is_written;
  __extension__ __int128 first[3], last[3], start, end;
};
struct loopwright_bytes { unsigned long start, end; int is_written; };
struct loopwright_list { struct loopwright_bytes *all; unsigned long n, room, total; };

static __attribute__((unused)) int loopwright_add_bytes(struct loopwright_list *list, const void *base,
                                                        const struct loopwright_bytes *offsets, int is_written) {
  struct loopwright_bytes *own;
  unsigned long start = (unsigned long) base + offsets->start, end = (unsigned long) base + offsets->end;
  if (list->n > 0 && start < end) {
    /* Rows that follow on each other, up to a gap in which no other row is, are one range. */
    own = &list->all[list->n - 1];
    if (own->is_written == is_written && start >= own->end && start - own->end < 64) {
      own->end = end;
      list->total += end - start;
      return 1;
    }
  }
  if (list->n == list->room) {
    struct loopwright_bytes *more;
    if (list->room >= 1ul << 20)
      return 0;
    more = (struct loopwright_bytes *) __builtin_malloc(4 * list->room * sizeof(*more));
    if (!more)
      return 0;
    __builtin_memcpy(more, list->all, list->n * sizeof(*more));
    if (list->room > 64)
      __builtin_free(list->all);
    list->all = more;
    list->room *= 4;
  }
  own = &list->all[list->n++];
  own->start = start;
  own->end = end;
  own->is_written = is_written;
  list->total += own->end - own->start;
  return own->start < own->end;
}

static __attribute__((unused)) int loopwright_add_rows(struct loopwright_list *list, const struct loopwright_rows *rows,
                                                       int level, const char *table) {
  long i, first, n;
  struct loopwright_bytes offsets;
  if (level == rows->n_tables) {
    if (rows->start <= -(1l << 57) || rows->end >= 1l << 57)
      return 0;
    if (rows->start >= rows->end)
      return 1;
    offsets.start = (unsigned long) (long) rows->start;
    offsets.end = (unsigned long) (long) rows->end;
    return loopwright_add_bytes(list, table, &offsets, rows->is_written);
  }
  if (rows->last[level] < rows->first[level])
    return 1;
  if (rows->first[level] < -(1l << 40) || rows->last[level] > 1l << 40 || rows->last[level] - rows->first[level] >= 1l << 20)
    return 0;
  first = (long) rows->first[level];
  n = (long) (rows->last[level] - rows->first[level]) + 1;
  offsets.start = (unsigned long) (first * (long) sizeof(void *));
  offsets.end = (unsigned long) ((first + n) * (long) sizeof(void *));
  if (!loopwright_add_bytes(list, table, &offsets, 0))
    return 0;
  for (i = first; i < first + n; i++) {
    const char *row;
    __builtin_memcpy(&row, table + i * (long) sizeof(row), sizeof(row));
    if (!loopwright_add_rows(list, rows, level + 1, row))
      return 0;
  }
  return 1;
}

/* Sorts by `start`: runs that are in order already are merged, two at a time. */
static __attribute__((unused)) struct loopwright_bytes *loopwright_sorted(struct loopwright_bytes *from,
                                                                          struct loopwright_bytes *to, unsigned long n) {
  for (;;) {
    unsigned long at = 0, n_runs = 0;
    struct loopwright_bytes *swapped = from;
    while (at < n) {
      unsigned long a = at, middle = at + 1, b, end, out = at;
      while (middle < n && from[middle - 1].start <= from[middle].start)
        middle++;
      b = middle;
      end = middle < n ? middle + 1 : n;
      while (end < n && from[end - 1].start <= from[end].start)
        end++;
      while (out < end)
        to[out++] = b == end || (a < middle && from[a].start <= from[b].start) ? from[a++] : from[b++];
      at = end;
      n_runs++;
    }
    from = to;
    to = swapped;
    if (n_runs <= 1)
      return from;
  }
}

/* Whether no byte that is written lies in two of the ranges, and they are long enough for that to be worth knowing. */
static __attribute__((unused)) int loopwright_rows_apart(int n_parts, const struct loopwright_rows *parts) {
  struct loopwright_bytes few[64], *sorted, *other = 0;
  struct loopwright_list list;
  unsigned long i, end = 0, written_end = 0;
  int part, is_apart = 1;
  list.all = few;
  list.n = 0;
  list.room = 64;
  list.total = 0;
  for (part = 0; part < n_parts && is_apart; part++)
    is_apart = !parts[part].table || loopwright_add_rows(&list, &parts[part], 0, (const char *) parts[part].table);
  is_apart = is_apart && (list.n <= 64 || list.total / list.n >= 64);
  for (i = 1; i < list.n && list.all[i - 1].start <= list.all[i].start; i++)
    ;
  sorted = list.all;
  if (is_apart && i < list.n) {
    other = (struct loopwright_bytes *) __builtin_malloc(list.n * sizeof(*other));
    is_apart = other != 0;
    if (other)
      sorted = loopwright_sorted(list.all, other, list.n);
  }
  for (i = 0; i < list.n && is_apart; i++) {
    is_apart = sorted[i].start >= (sorted[i].is_written ? end : written_end);
    if (sorted[i].end > end)
      end = sorted[i].end;
    if (sorted[i].is_written && sorted[i].end > written_end)
      written_end = sorted[i].end;
  }
  if (other)
    __builtin_free(other);
  if (list.room > 64)
    __builtin_free(list.all);
  return is_apart;
}
#endif
