#ifndef LOOPWRIGHT_RECORDER
#define LOOPWRIGHT_RECORDER
/* Counts executions of regions and their times by the values of integers in front of them. Names of the C library are used
   under names of their own, so that no header is needed. */
#if defined __APPLE__
#define LOOPWRIGHT_CALLED(name) __asm__("_" name)
#else
#define LOOPWRIGHT_CALLED(name) __asm__(name)
#endif
typedef __typeof__(sizeof 0) loopwright_size;
struct loopwright_timespec { __typeof__((char *) 0 - (char *) 0) seconds; long nanoseconds; };
extern int loopwright_clock_gettime(int, struct loopwright_timespec *) LOOPWRIGHT_CALLED("clock_gettime");
extern int loopwright_open(const char *, int, ...) LOOPWRIGHT_CALLED("open");
extern long loopwright_write(int, const void *, loopwright_size) LOOPWRIGHT_CALLED("write");
extern int loopwright_close(int) LOOPWRIGHT_CALLED("close");
extern char *loopwright_getenv(const char *) LOOPWRIGHT_CALLED("getenv");
extern int loopwright_getpid(void) LOOPWRIGHT_CALLED("getpid");
extern int loopwright_snprintf(char *, loopwright_size, const char *, ...) LOOPWRIGHT_CALLED("snprintf");
#if defined __APPLE__
#define LOOPWRIGHT_CLOCK 6
#define LOOPWRIGHT_APPEND (1 | 0x200 | 8)
#else
#define LOOPWRIGHT_CLOCK 1
#define LOOPWRIGHT_APPEND (1 | 0100 | 02000)
#endif
/* Tuples of values that are kept: those with the most time (the space-saving algorithm, by time). A new tuple takes the row
   of the one with the least weight and begins with that weight, so whatever has more than one part in LOOPWRIGHT_ROWS of the time is
   kept at the end; what was measured of the other one goes to the last row. */
#define LOOPWRIGHT_ROWS 32
struct loopwright_row { long long values[8]; unsigned long long count, time, weight; };
struct loopwright_site {
  const char *name; /* as in the file */
  int n_values, n_rows;
  struct loopwright_row rows[LOOPWRIGHT_ROWS + 1]; /* the last one of all other values */
  struct loopwright_site *next;
  unsigned char lock, is_listed;
};
struct loopwright_visit { struct loopwright_site *site; const long long *values; unsigned long long start; };
static struct loopwright_site *loopwright_sites;
static unsigned char loopwright_sites_lock;
static unsigned long long loopwright_began;
static inline unsigned long long loopwright_now(void) {
  struct loopwright_timespec now = {0, 0};
  loopwright_clock_gettime(LOOPWRIGHT_CLOCK, &now);
  return (unsigned long long) now.seconds * 1000000000ULL + (unsigned long long) now.nanoseconds;
}
static inline void loopwright_locks(unsigned char *lock) {
  while (__atomic_exchange_n(lock, 1, 2)) { }
}
static inline void loopwright_unlocks(unsigned char *lock) {
  __atomic_store_n(lock, 0, 3);
}
static inline __attribute__((__unused__)) struct loopwright_visit loopwright_enters(struct loopwright_site *site, const long long *values) {
  struct loopwright_visit visit;
  loopwright_locks(&site->lock);
  if (!site->is_listed) {
    site->is_listed = 1;
    loopwright_locks(&loopwright_sites_lock);
    site->next = loopwright_sites;
    loopwright_sites = site;
    loopwright_unlocks(&loopwright_sites_lock);
  }
  loopwright_unlocks(&site->lock);
  visit.site = site;
  visit.values = values;
  visit.start = loopwright_now();
  return visit;
}
static struct loopwright_row *loopwright_row_of(struct loopwright_site *site, const long long *values) {
  struct loopwright_row *row, *other = &site->rows[LOOPWRIGHT_ROWS];
  int at, k, least = 0;
  for (at = 0; at < site->n_rows; at++) {
    for (k = 0; k < site->n_values && site->rows[at].values[k] == values[k]; k++) { }
    if (k == site->n_values) return &site->rows[at];
    if (site->rows[at].weight < site->rows[least].weight) least = at;
  }
  row = &site->rows[site->n_rows < LOOPWRIGHT_ROWS ? site->n_rows++ : least];
  other->count += row->count;
  other->time += row->time;
  row->count = row->time = 0;
  for (k = 0; k < site->n_values; k++) row->values[k] = values[k];
  return row;
}
static inline __attribute__((__unused__)) void loopwright_leaves(const struct loopwright_visit *visit) {
  unsigned long long time = loopwright_now() - visit->start;
  struct loopwright_row *row;
  loopwright_locks(&visit->site->lock);
  row = loopwright_row_of(visit->site, visit->values);
  row->count++;
  row->time += time;
  row->weight += time + 1;
  loopwright_unlocks(&visit->site->lock);
}
static __attribute__((__constructor__)) void loopwright_begins(void) { loopwright_began = loopwright_now(); }
static __attribute__((__destructor__)) void loopwright_writes(void) {
  char text[2048];
  const char *name = loopwright_getenv("LOOPWRIGHT_PROFILE_FILE");
  struct loopwright_site *site;
  int file, at, k, n;
  if (!loopwright_sites) return;
  n = loopwright_snprintf(text, sizeof text, "%s.%d", name && *name ? name : LOOPWRIGHT_PROFILE_FILE, loopwright_getpid());
  if (n < 0 || n >= (int) sizeof text) return;
  file = loopwright_open(text, LOOPWRIGHT_APPEND, 0666);
  if (file < 0) return;
  n = loopwright_snprintf(text, sizeof text, "loopwright profile 1\nprocess %d %llu %llu\n", loopwright_getpid(), loopwright_began / 1000000000, loopwright_now() - loopwright_began);
  if (loopwright_write(file, text, (loopwright_size) n) < 0) { }
  for (site = loopwright_sites; site; site = site->next) {
    for (n = 0; site->name[n]; n++) { }
    if (loopwright_write(file, site->name, (loopwright_size) n) < 0) { }
    for (at = 0; at <= LOOPWRIGHT_ROWS; at++) {
      struct loopwright_row *row = &site->rows[at];
      if (!row->count) continue;
      n = loopwright_snprintf(text, sizeof text, "%s %llu %llu", at < LOOPWRIGHT_ROWS ? "values" : "other", row->count, row->time);
      for (k = 0; at < LOOPWRIGHT_ROWS && k < site->n_values; k++) n += loopwright_snprintf(text + n, sizeof text - (loopwright_size) n, " %lld", row->values[k]);
      text[n++] = '\n';
      if (loopwright_write(file, text, (loopwright_size) n) < 0) { }
    }
  }
  loopwright_close(file);
}
#endif
