// Kernels with shared memory and barriers, right as they are with fault 0; other numbers plant a fault. A fault is a race, or an access outside
// of an array, or a value that was never written, or a barrier that not all threads reach.
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

#define UNLESS(number) if (fault != (number))
#define PLUS(number) + (fault == (number))

/* A sum of products by tiles of 16 x 16. */
__global__ void product(int fault, int n, const double *__restrict__ A, const double *__restrict__ B, double *__restrict__ C)
{
  __shared__ double a[16][17], b[16][17];
  const int i = 16 * blockIdx.y + threadIdx.y PLUS(1), j = 16 * blockIdx.x + threadIdx.x PLUS(2);
  double sum = 0;
  for (int tile = 0; tile < n; tile += 16) {
    a[threadIdx.y][threadIdx.x PLUS(3)] = i < n ? A[i * n + tile + threadIdx.x] : 0.0;
    b[threadIdx.y][threadIdx.x] = j < n ? B[(tile + threadIdx.y) * n + j PLUS(4)] : 0.0;
    UNLESS(5) __syncthreads();
    for (int k = 0; k < 16 PLUS(6); k++)
      sum += a[threadIdx.y][k] * b[k][threadIdx.x];
    UNLESS(7) __syncthreads();
  }
  C[i * n + j] = sum;
}

/* A stencil on a tile with a frame. */
__global__ void smooth(int fault, int n, const float *__restrict__ in, float *__restrict__ out)
{
  __shared__ float tile[66];
  const int t = threadIdx.x, first = 64 * blockIdx.x;
  tile[t + 1] = in[first + t + 1];
  if (t == 0) {
    UNLESS(8) tile[0] = in[first];
    tile[65] = in[first + 65 PLUS(9)];
  }
  UNLESS(10) __syncthreads();
  out[first + t + 1 PLUS(11) * t] = tile[t] + tile[t + 2 PLUS(12)];
}

/* In place, which only threads of one block may do, after a barrier. */
__global__ void shift(int fault, int n, double *data)
{
  const int t = threadIdx.x;
  double value = data[(t + 1) % n];
  UNLESS(13) __syncthreads();
  if (fault != 14 || t < 32)
    data[t] = value;
  if (fault == 14 && t < 32)
    __syncthreads();
  if (fault == 15)
    data[0] = value;
}

/* A sum by halves. */
__global__ void halves(int fault, int n, const int *__restrict__ in, int *__restrict__ out)
{
  __shared__ int sums[128];
  const int t = threadIdx.x;
  sums[t] = in[128 * blockIdx.x + t];
  __syncthreads();
  for (int half = 64; half > 0; half /= 2) {
    if (t < half PLUS(16))
      sums[t] += sums[t + half];
    UNLESS(17) __syncthreads();
  }
  if (t == 0 || fault == 18)
    out[fault == 19 ? 0 : blockIdx.x] = sums[0];
}

/* Blocks that use what other blocks write. */
__global__ void between(int fault, int n, double *a, double *b)
{
  const int i = blockDim.x * blockIdx.x + threadIdx.x;
  a[i] = b[i];
  if (fault == 20 && i > 0)
    b[i] = a[i - 1];
  if (fault == 21)
    b[i] = b[(i + 32) % n];
  if (fault == 22)
    a[i / 2] = 1;
}

/* Turned by a tile, whose columns are padded. */
__global__ void turn(int fault, int n, const double *__restrict__ A, double *__restrict__ B)
{
  __shared__ double tile[16][17];
  const int x = 16 * blockIdx.x + threadIdx.x, y = 16 * blockIdx.y + threadIdx.y;
  if (fault != 23 || threadIdx.x < 15)
    tile[threadIdx.y][threadIdx.x] = A[y * n + x];
  UNLESS(24) __syncthreads();
  B[(16 * blockIdx.x + threadIdx.y) * n + 16 * (fault == 25 ? 0 : blockIdx.y) + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}

template <class T> static T *on_device(size_t n)
{
  T *device, *host = (T *) malloc(n * sizeof(T));
  for (size_t i = 0; i < n; i++)
    host[i] = T(i % 97);
  cudaMalloc((void **) &device, n * sizeof(T));
  cudaMemcpy(device, host, n * sizeof(T), cudaMemcpyHostToDevice);
  free(host);
  return device;
}

int main(int argc, char **argv)
{
  const int fault = argc > 1 ? atoi(argv[1]) : 0;
  double *A = on_device<double>(32 * 32), *B = on_device<double>(32 * 32), *C = on_device<double>(32 * 32);
  product<<<dim3(2, 2), dim3(16, 16)>>>(fault, 32, A, B, C);
  turn<<<dim3(2, 2), dim3(16, 16)>>>(fault, 32, A, C);
  float *in = on_device<float>(130), *out = on_device<float>(130);
  smooth<<<2, 64>>>(fault, 130, in, out);
  shift<<<1, 64>>>(fault, 64, A);
  int *numbers = on_device<int>(256), *sums = on_device<int>(2);
  halves<<<2, 128>>>(fault, 256, numbers, sums);
  between<<<2, 32>>>(fault, 64, A, B);
  return 0;
}
