/* The loops of loops.c once more, with what only their author knows. */
#ifndef __PENCIL__
#define __pencil_kill(...) ((void) 0)
#endif

double last;
double weight(double) __attribute__((const));

void scatter(int n, double *restrict x, const int *restrict place, const double *restrict y)
{
#pragma scop
  /* No two elements of place are the same. */
#pragma pencil independent
  for (int i = 0; i < n; i++)
    x[place[i]] = y[i];
#pragma endscop
}

void keep(int n, double *restrict x, const double *restrict y)
{
#pragma scop
  for (int i = 0; i < n; i++) {
    last = 2 * y[i];
    x[i] = last * last;
  }
  /* Nobody reads last after this. */
  __pencil_kill(last);
#pragma endscop
}

void weigh(int n, double *restrict x)
{
#pragma scop
  for (int i = 0; i < n; i++)
    x[i] = weight(x[i]);
#pragma endscop
}
