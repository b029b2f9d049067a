// Blocks that wait for each other, with a fault that the argument tells; 0 is none.
#include <cooperative_groups.h>
#include <cuda_runtime.h>
#include <stdlib.h>

namespace cg = cooperative_groups;

__global__ void sums(const double *a, double *b, double *c, int fault)
{
  __shared__ double kept[32];
  const int t = threadIdx.x, i = 32 * blockIdx.x + t;
  kept[t] = a[i];
  b[i] = 2 * a[i];
  if (fault == 2) {
    if (blockIdx.x > 0)
      cg::this_grid().sync();
  } else if (fault == 5) {
    if (t > 3)
      cg::this_grid().sync();
  } else if (fault != 1)
    cg::this_grid().sync();
  // What a block has in shared memory is what it had before.
  c[i] = b[(i + 32) % (32 * gridDim.x)] + kept[t];
  if (fault != 4)
    cg::this_grid().sync();
  b[(i + 1) % (32 * gridDim.x)] = c[i] + kept[t];
}

int main(int, char **arguments)
{
  int fault = atoi(arguments[1]);
  double *a, *b, *c, host[128] = {0};
  for (int i = 0; i < 128; i++)
    host[i] = i;
  cudaMalloc((void **) &a, sizeof(host));
  cudaMalloc((void **) &b, sizeof(host));
  cudaMalloc((void **) &c, sizeof(host));
  cudaMemcpy(a, host, sizeof(host), cudaMemcpyHostToDevice);
  emulation::global<const double> first(a);
  emulation::global<double> second(b), third(c);
  void *list[] = {&first, &second, &third, &fault};
  if (fault == 3)
    sums<<<4, 32>>>(a, b, c, fault);
  else if (cudaLaunchCooperativeKernel(sums, dim3(4), dim3(32), list) != cudaSuccess)
    return 1;
  cudaMemcpy(host, b, sizeof(host), cudaMemcpyDeviceToHost);
  for (int i = 0; fault == 0 && i < 128; i++)
    if (host[(i + 1) % 128] != 2 * ((i + 32) % 128) + 2 * i)
      return 2;
  // More blocks than the device runs at the same time.
  if (fault == 0 && cudaLaunchCooperativeKernel(sums, dim3(1000), dim3(32), list) == cudaSuccess)
    return 3;
  return 0;
}
