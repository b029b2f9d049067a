typedef double double_x4 __attribute__((vector_size(32), aligned(8)));
void f(int n, double *A) {
#pragma scop
  for (int i = 4 * n - 4; i >= 0; i -= 4)
    *(double_x4 *) &A[i + 1] = *(double_x4 *) &A[i];
#pragma endscop
}
