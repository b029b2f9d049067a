/* Loops that are not parallel as they stand, each for another reason. */
double last;
double weight(double);

void prefix(int n, double *restrict x)
{
  for (int i = 1; i < n; i++)
    x[i] += x[i - 1];
}

double norm(int n, const double *restrict x)
{
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += x[i] * x[i];
  return sum;
}

void scatter(int n, double *restrict x, const int *restrict place, const double *restrict y)
{
  for (int i = 0; i < n; i++)
    x[place[i]] = y[i];
}

void keep(int n, double *restrict x, const double *restrict y)
{
  for (int i = 0; i < n; i++) {
    last = 2 * y[i];
    x[i] = last * last;
  }
}

void weigh(int n, double *restrict x)
{
  for (int i = 0; i < n; i++)
    x[i] = weight(x[i]);
}
