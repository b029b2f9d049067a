float sqrtf(float);
void f(int n, float *A, float *B) {
#pragma scop
  for (int i = 0; i < n; i++)
    A[i] = B[i] * B[i] + sqrtf(B[i]);
#pragma endscop
}
