#ifndef LOOPWRIGHT_TRIALS
#define LOOPWRIGHT_TRIALS
/* Regions of which two texts are timed when they run first: the new one (0) and the one as it was (1). For each power of two
   of work on its own: one execution for warming up, three of the new text, up to three of the old one; the faster is kept. */
struct loopwright_trials { double best[2]; unsigned begun, timed[2]; unsigned char lock, kept; };
struct loopwright_trial { struct loopwright_trials *of; unsigned long long start; double work; int text; };
#if defined LOOPWRIGHT_TICKS /* a clock of the program's own */
#elif defined __x86_64__ || defined __i386__
#define LOOPWRIGHT_TICKS() __builtin_ia32_rdtsc()
#elif defined __aarch64__
static inline unsigned long long loopwright_ticks(void) {
  unsigned long long ticks;
  __asm__ volatile("mrs %0, cntvct_el0" : "=r"(ticks));
  return ticks;
}
#define LOOPWRIGHT_TICKS() loopwright_ticks()
#elif defined __linux__ && defined __LP64__
extern int loopwright_clock_gettime(int, long *) __asm__("clock_gettime");
static inline unsigned long long loopwright_ticks(void) {
  long now[2] = {0, 0};
  loopwright_clock_gettime(1, now);
  return now[0] * 1000000000ULL + now[1];
}
#define LOOPWRIGHT_TICKS() loopwright_ticks()
#else
#define LOOPWRIGHT_TICKS() 0ULL /* no clock: the new text is kept */
#endif
/* Whether the new text is to run. */
static inline __attribute__((__unused__)) int loopwright_takes_new(struct loopwright_trial *trial, struct loopwright_trials *all, double work) {
  unsigned long long whole = work >= 1 ? work < 1e18 ? (unsigned long long) work : 1000000000000000000ULL : 1;
  struct loopwright_trials *own = &all[63 - __builtin_clzll(whole)];
  unsigned char kept = __atomic_load_n(&own->kept, 2);
  if (kept) return kept == 1;
  unsigned begun = __atomic_fetch_add(&own->begun, 1, 0);
  if (begun >= 64) { /* the ends of too many were not seen */
    __atomic_store_n(&own->kept, 1, 3);
    return 1;
  }
  trial->text = begun >= 4 && begun < 7;
  if (begun == 0 || begun >= 7) return 1;
  trial->of = own;
  trial->work = work >= 1 ? work : 1;
  trial->start = LOOPWRIGHT_TICKS();
  return !trial->text;
}
/* Takes the time of an execution. */
static inline __attribute__((__unused__)) void loopwright_ends(struct loopwright_trial *trial) {
  struct loopwright_trials *own = trial->of;
  if (!own) return;
  double cost = (double) (LOOPWRIGHT_TICKS() - trial->start) / trial->work;
  int text = trial->text;
  while (__atomic_exchange_n(&own->lock, 1, 2)) { }
  if (!own->timed[text]++ || cost < own->best[text]) own->best[text] = cost;
  if (own->timed[0] && own->timed[1] && !own->kept) {
    unsigned char kept = 0;
    if (own->best[1] > 2 * own->best[0]) kept = 1;
    else if (own->timed[0] >= 3 && (own->timed[1] >= 3 || 2 * own->best[1] < own->best[0])) kept = own->best[1] < own->best[0] ? 2 : 1;
    __atomic_store_n(&own->kept, kept, 3);
  }
  __atomic_store_n(&own->lock, 0, 3);
}
#endif
