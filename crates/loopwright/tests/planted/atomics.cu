// Updates by one instruction beside other accesses of the elements, with a fault that the argument tells; 0 is none.
#include <cuda_runtime.h>
#include <stdlib.h>

__global__ void count(const int *key, int *h, int *copy, int fault)
{
  const int t = 64 * blockIdx.x + threadIdx.x;
  if (fault == 1)
    h[key[t]] += 1;
  else if (fault == 2 && t == 77)
    h[key[t]]++;
  else
    atomicAdd(&h[key[t]], 1);
  if (fault == 3)
    copy[t] = h[key[t]];
  if (fault == 4 && t % 64 == 5)
    h[63] = 0;
}

int main(int, char **arguments)
{
  int fault = atoi(arguments[1]);
  int *key, *h, *copy, host[128], counts[64] = {0};
  for (int i = 0; i < 128; i++)
    host[i] = i * i % 64;
  cudaMalloc((void **) &key, sizeof(host));
  cudaMalloc((void **) &copy, sizeof(host));
  cudaMalloc((void **) &h, sizeof(counts));
  cudaMemcpy(key, host, sizeof(host), cudaMemcpyHostToDevice);
  cudaMemcpy(h, counts, sizeof(counts), cudaMemcpyHostToDevice);
  count<<<2, 64>>>(key, h, copy, fault);
  cudaMemcpy(counts, h, sizeof(counts), cudaMemcpyDeviceToHost);
  int sum = 0;
  for (int i = 0; i < 64; i++)
    sum += counts[i];
  return fault == 0 && sum != 128;
}
