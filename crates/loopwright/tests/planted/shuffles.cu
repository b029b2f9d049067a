// Lanes of warps that read each other's registers, with a fault that the argument tells; 0 is none.
#include <cuda_runtime.h>
#include <stdlib.h>

__global__ void sums(const double *a, double *b, int fault)
{
  const int t = threadIdx.x;
  double own = a[t], other = 0;
  for (int d = 16; d > 0; d /= 2) {
    if (fault == 1)
      other = __shfl_down_sync(0x0000ffff, own, d);
    else if (fault == 2) {
      if (t % 32 < 16)
        other = __shfl_down_sync(0xffffffff, own, d);
    } else if (fault == 3)
      other = __shfl_down_sync(0xffffffff, own, t % 32 < 16 ? d : d / 2);
    else if (fault == 4)
      other = __shfl_down_sync(0xffffffff, own, d == 2 ? 1 : d);
    else
      other = __shfl_down_sync(0xffffffff, own, d);
    own += other;
  }
  if (t % 32 == 0)
    b[t / 32] = own;
}

int main(int, char **arguments)
{
  int fault = atoi(arguments[1]);
  double *a, *b, host[64] = {0};
  for (int i = 0; i < 64; i++)
    host[i] = i;
  cudaMalloc((void **) &a, sizeof(host));
  cudaMalloc((void **) &b, 2 * sizeof(double));
  cudaMemcpy(a, host, sizeof(host), cudaMemcpyHostToDevice);
  // With less than a warp not all lanes are there that a shuffle names.
  sums<<<1, fault == 5 ? 16 : 64>>>(a, b, fault);
  cudaMemcpy(host, b, 2 * sizeof(double), cudaMemcpyDeviceToHost);
  const bool is_right = host[0] == 31 * 16 && host[1] == 31 * 16 + 32 * 32;
  return fault == 0 || fault == 4 ? is_right != (fault == 0) : 0;
}
