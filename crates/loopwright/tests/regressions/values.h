/* Start values of the arrays of the programs in this folder, and their exact output. */
#include <stdio.h>
#include <string.h>

static void show_unsigned(unsigned long value) { printf(" %lu", value); }

static void show_double(double value)
{
  unsigned long bits;
  memcpy(&bits, &value, sizeof bits);
  if (value != value) printf(" nan"); else printf(" %lx", bits);
}

static void start_unsigned(unsigned long *values, long size, long array)
{
  for (long at = 0; at < size; at++) {
    long number = (at * 7 + array * 5 + 3) % 23;
    values[at] = number;
  }
}

static void print_unsigned(const unsigned long *values, long size, const char *name)
{
  printf("%s", name);
  for (long at = 0; at < size; at++) show_unsigned(values[at]);
  printf("\n");
}

static void start_double(double *values, long size, long array)
{
  for (long at = 0; at < size; at++) {
    long number = (at * 7 + array * 5 + 3) % 23;
    values[at] = number / 16.0 - 0.5;
  }
}

static void print_double(const double *values, long size, const char *name)
{
  printf("%s", name);
  for (long at = 0; at < size; at++) show_double(values[at]);
  printf("\n");
}
