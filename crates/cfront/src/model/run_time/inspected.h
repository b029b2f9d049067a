#ifndef LOOPWRIGHT_INSPECTED
#define LOOPWRIGHT_INSPECTED
__extension__ typedef __int128 loopwright_wide;
/* Positions of an array from `first` to `last`, none if that is less; any if they are not known. */
struct loopwright_span { long first, last; int is_known; };
/* Bytes from `start` to before `end`. */
struct loopwright_range { loopwright_wide start, end; };

static __attribute__((unused)) struct loopwright_span loopwright_between(int is_reached, loopwright_wide first,
                                                                         loopwright_wide last) {
  struct loopwright_span at = {0, -1, 1};
  if (!is_reached || last < first)
    return at;
  at.is_known = first > -(1l << 57) && last < 1l << 57;
  if (at.is_known) {
    at.first = (long) first;
    at.last = (long) last;
  }
  return at;
}

/* An integer of an array: of `kind` bytes, or of `-kind` if it has a sign. */
static __attribute__((unused)) long loopwright_index(const void *array, int kind, long at) {
  switch (kind) {
  case -1: return ((const signed char *) array)[at];
  case 1: return ((const unsigned char *) array)[at];
  case -2: { short value; __builtin_memcpy(&value, (const char *) array + 2 * at, 2); return value; }
  case 2: { unsigned short value; __builtin_memcpy(&value, (const char *) array + 2 * at, 2); return value; }
  case -4: { int value; __builtin_memcpy(&value, (const char *) array + 4 * at, 4); return value; }
  case 4: { unsigned value; __builtin_memcpy(&value, (const char *) array + 4 * at, 4); return value; }
  default: { long value; __builtin_memcpy(&value, (const char *) array + 8 * at, 8); return value; }
  }
}

/* The least and the greatest value of an array at some positions. */
static __attribute__((unused)) struct loopwright_span loopwright_values(const void *array, int kind,
                                                                        struct loopwright_span at) {
  struct loopwright_span found = at;
  long i;
  if (!at.is_known || at.first > at.last)
    return at;
  found.first = found.last = loopwright_index(array, kind, at.first);
  if (kind == -4) {
    int least = (int) found.first, greatest = least;
    for (i = at.first; i <= at.last; i++) {
      int value = (int) loopwright_index(array, -4, i);
      least = value < least ? value : least;
      greatest = value > greatest ? value : greatest;
    }
    found.first = least;
    found.last = greatest;
    return found;
  }
  for (i = at.first; i <= at.last; i++) {
    long value = loopwright_index(array, kind, i);
    found.first = value < found.first ? value : found.first;
    found.last = value > found.last ? value : found.last;
  }
  return found;
}

/* The least and the greatest position of segments from a value of `starts` to before that of `ends`, `distance` further. */
static __attribute__((unused)) struct loopwright_span loopwright_segments(const void *starts, int kind, const void *ends,
                                                                          int kind_of_ends, long distance,
                                                                          struct loopwright_span at) {
  struct loopwright_span found = at;
  long i;
  found.first = 0;
  found.last = -1;
  for (i = at.first; at.is_known && i <= at.last; i++) {
    long start = loopwright_index(starts, kind, i), end = loopwright_index(ends, kind_of_ends, i + distance);
    if ((kind > 0 && start < 0) || (kind_of_ends > 0 && end < 0)) {
      found.is_known = 0;
      return found;
    }
    if (start >= end)
      continue;
    if (found.first > found.last) {
      found.first = start;
      found.last = end - 1;
    }
    found.first = start < found.first ? start : found.first;
    found.last = end - 1 > found.last ? end - 1 : found.last;
  }
  return found;
}

/* The bytes of elements of some size at positions. */
static __attribute__((unused)) struct loopwright_range loopwright_bytes_at(const void *base, long element,
                                                                           struct loopwright_span at) {
  struct loopwright_range range = {-((loopwright_wide) 1 << 120), (loopwright_wide) 1 << 120};
  if (at.is_known) {
    range.start = (loopwright_wide) (unsigned long) base + (loopwright_wide) element * at.first;
    range.end = (loopwright_wide) (unsigned long) base + (loopwright_wide) element * at.last + element;
  }
  return range;
}

static __attribute__((unused)) struct loopwright_range loopwright_bytes_between(loopwright_wide start,
                                                                                loopwright_wide end) {
  struct loopwright_range range;
  range.start = start;
  range.end = end;
  return range;
}

/* Whether no byte is in both. */
static __attribute__((unused)) int loopwright_disjoint(struct loopwright_range a, struct loopwright_range b) {
  return a.start >= a.end || b.start >= b.end || a.end <= b.start || b.end <= a.start;
}
#endif
