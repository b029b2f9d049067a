/* Pointers that may point anywhere. */
void add(int n, double *to, const double *from)
{
#pragma scop
  for (int i = 0; i < n; i++)
    to[i] += from[i];
#pragma endscop
}
