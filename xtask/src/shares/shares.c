/* Processor times of the threads of parallel loops: the entry points of GCC's library for OpenMP are wrapped (`ld --wrap`).
 *
 * At the end of the program a line on the standard error: the number of loops that several threads entered, the seconds in them,
 * and of these the processor time of the thread with most of it and of all threads, each summed over the loops; last the processor time of
 * loops that one thread entered alone.
 */
#define _GNU_SOURCE
#include <omp.h>
#include <stdio.h>
#include <time.h>

#define MOST_THREADS 256

typedef void body(void *);

struct call {
  body *function;
  void *data;
};

static struct {
  _Alignas(128) double spent;
} share[MOST_THREADS];
static int team;
static long entries;
static double seconds, largest, all, alone, entered;

static double now(clockid_t clock)
{
  struct timespec time;
  clock_gettime(clock, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void timed(void *data)
{
  struct call *call = data;
  double begin = now(CLOCK_THREAD_CPUTIME_ID);
  call->function(call->data);
  int number = omp_get_thread_num();
  if (number < MOST_THREADS)
    share[number].spent = now(CLOCK_THREAD_CPUTIME_ID) - begin;
  if (number == 0)
    team = omp_get_num_threads();
}

static void enter(void)
{
  for (int number = 0; number < MOST_THREADS; number++)
    share[number].spent = 0;
  entered = now(CLOCK_MONOTONIC);
}

static void leave(void)
{
  if (team < 2) {
    alone += share[0].spent;
    return;
  }
  double most = 0;
  for (int number = 0; number < team && number < MOST_THREADS; number++) {
    all += share[number].spent;
    most = share[number].spent > most ? share[number].spent : most;
  }
  largest += most;
  seconds += now(CLOCK_MONOTONIC) - entered;
  entries++;
}

void __real_GOMP_parallel(body *, void *, unsigned, unsigned);

void __wrap_GOMP_parallel(body *function, void *data, unsigned threads, unsigned flags)
{
  struct call call = {function, data};
  enter();
  __real_GOMP_parallel(timed, &call, threads, flags);
  leave();
}

#define LOOP(name)                                                                                       \
  void __real_##name(body *, void *, unsigned, long, long, long, long, unsigned);                        \
  void __wrap_##name(body *function, void *data, unsigned threads, long start, long end, long increment, \
                     long chunk, unsigned flags)                                                         \
  {                                                                                                      \
    struct call call = {function, data};                                                                 \
    enter();                                                                                             \
    __real_##name(timed, &call, threads, start, end, increment, chunk, flags);                           \
    leave();                                                                                             \
  }

LOOP(GOMP_parallel_loop_dynamic)
LOOP(GOMP_parallel_loop_guided)
LOOP(GOMP_parallel_loop_nonmonotonic_dynamic)
LOOP(GOMP_parallel_loop_nonmonotonic_guided)

__attribute__((destructor)) static void print(void)
{
  fprintf(stderr, "shares: %ld %.9f %.9f %.9f %.9f\n", entries, seconds, largest, all, alone);
}
