float sqrtf(float);
void f(int n, float *A, float *B) {
#pragma scop
  for (int i = 0; i < n; i++) {
    float s = B[i];
    double p = (double)s * s;
    A[i] = p + sqrtf(s);
  }
#pragma endscop
}
