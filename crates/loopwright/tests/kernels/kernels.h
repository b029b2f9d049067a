/* What the kernels share: sizes, parameters, numbers, initial values, timing and printing.
 *
 *   -DMINI (default), -DSMALL, -DMEDIUM, -DLARGE, -DEXTRALARGE   the size of the problem
 *   -DSYMBOLIC   extents of arrays are parameters of the kernel (C99) instead of numbers
 *   -DSINGLE     float instead of double
 *
 * A program prints all its results; with KERNEL_TIME in the environment it prints the seconds
 * that the kernel took instead.
 */
#ifndef KERNELS_H
#define KERNELS_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* One of five numbers. */
#if defined(EXTRALARGE)
#define PICK(mini, small, medium, large, extralarge) extralarge
#elif defined(LARGE)
#define PICK(mini, small, medium, large, extralarge) large
#elif defined(MEDIUM)
#define PICK(mini, small, medium, large, extralarge) medium
#elif defined(SMALL)
#define PICK(mini, small, medium, large, extralarge) small
#else
#define PICK(mini, small, medium, large, extralarge) mini
#endif

/* An extent: a parameter of the function, or its number. */
#ifdef SYMBOLIC
#define EXTENT(parameter, number) parameter
#else
#define EXTENT(parameter, number) number
#endif

/* The elements. A kernel on integers defines DATA and FORMAT itself. */
#ifndef DATA
#ifdef SINGLE
#define DATA float
#define NUMBER(x) x##f
#define ROOT(x) sqrtf(x)
#define EXPONENTIAL(x) expf(x)
#define POWER(x, y) powf(x, y)
#else
#define DATA double
#define NUMBER(x) x
#define ROOT(x) sqrt(x)
#define EXPONENTIAL(x) exp(x)
#define POWER(x, y) pow(x, y)
#endif
#define FORMAT "%.17g"
#endif

/* Array parameters, and the arrays that are passed for them. */
#define VECTOR(name, n) DATA name[n]
#define MATRIX(name, n, m) DATA name[n][m]
#define CUBE(name, n, m, l) DATA name[n][m][l]
#define NEW_VECTOR(name, n) DATA *name = new_array(n)
#define NEW_MATRIX(name, n, m) DATA(*name)[m] = new_array((n) * (m))
#define NEW_CUBE(name, n, m, l) DATA(*name)[m][l] = new_array((n) * (m) * (l))

static inline void *new_array(int count)
{
  void *array = aligned_alloc(4096, ((size_t)count * sizeof(DATA) + 4095) / 4096 * 4096);
  if (array == NULL) {
    perror("an array");
    exit(1);
  }
  return array;
}

/* A number in [1, 2) that depends on where it stands. */
static inline double sample(int seed, int position)
{
  unsigned mixed = (unsigned)position * 2654435761u + (unsigned)seed * 40503u;
  return 1.0 + (double)(mixed >> 12 & 0xffff) / 65536.0;
}

static inline void fill(void *array, int count, int seed)
{
  for (int i = 0; i < count; i++)
    ((DATA *)array)[i] = (DATA)(sample(seed, i) - 0.5);
}

static inline void zero(void *array, int count)
{
  for (int i = 0; i < count; i++)
    ((DATA *)array)[i] = 0;
}

/* A symmetric matrix whose diagonal dominates: it has all factorizations. */
static inline void fill_dominant(void *matrix, int n)
{
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      ((DATA *)matrix)[(size_t)i * n + j] = (DATA)(i == j ? 2 : sample(1, i + j) / (4 * n));
}

static double start_time;

static inline double seconds(void)
{
  struct timespec now;
  timespec_get(&now, TIME_UTC);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static inline void start(void) { start_time = seconds(); }

/* Stops the clock. Whether the results shall be printed. */
static inline int finished(void)
{
  double spent = seconds() - start_time;
  if (getenv("KERNEL_TIME") == NULL)
    return 1;
  printf("%.6f\n", spent);
  return 0;
}

static inline void print(const char *name, const void *array, int count)
{
  printf("%s:", name);
  for (int i = 0; i < count; i++)
    printf(i % 8 ? " " FORMAT : "\n" FORMAT, ((const DATA *)array)[i]);
  printf("\n");
}

#endif
