/* Running sums down the columns of a table, and the largest of each row. */
void columns(int n, double table[restrict n][n], double largest[restrict n])
{
#pragma scop
  for (int j = 0; j < n; j++)
    for (int i = 1; i < n; i++)
      table[i][j] += table[i - 1][j];

  for (int i = 0; i < n; i++) {
    largest[i] = table[i][0];
    for (int j = 1; j < n; j++)
      if (table[i][j] > largest[i])
        largest[i] = table[i][j];
  }
#pragma endscop
}
