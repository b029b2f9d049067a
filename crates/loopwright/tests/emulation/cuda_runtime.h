// CUDA's run-time library on the host, for tests: kernels are functions, and the threads of a launch run in an order drawn anew for
// each launch. No barriers: no generated kernel has one. With ThreadSanitizer they run on four threads of the processor, which
// are not ordered, so it finds what two threads of a launch must not do.
//
// Memory of the device is filled with bytes that are no sensible value, and what lies in it cannot be reached by the program's
// own pointers. EMULATION_REPORT=1 prints what was launched and copied; EMULATION_FAIL=N lets the N-th allocation fail.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <thread>
#include <vector>

#define __global__ static
#define __device__

struct dim3 {
  unsigned x, y, z;
  dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1) : x(x), y(y), z(z) {}
  size_t count() const { return size_t(x) * y * z; }
  dim3 at(size_t i) const { return dim3(unsigned(i % x), unsigned(i / x % y), unsigned(i / x / y)); }
};
static thread_local dim3 gridDim, blockDim, blockIdx, threadIdx;

typedef int cudaError_t;
enum { cudaSuccess = 0, cudaErrorMemoryAllocation = 2, cudaErrorInvalidConfiguration = 9 };
enum cudaMemcpyKind { cudaMemcpyHostToDevice = 1, cudaMemcpyDeviceToHost = 2 };

namespace emulation {
struct Counts {
  size_t launches = 0, allocations = 0, copies_in = 0, copies_out = 0, bytes_in = 0, bytes_out = 0;
  ~Counts()
  {
    if (getenv("EMULATION_REPORT"))
      fprintf(stderr, "launches %zu, copies in %zu (%zu bytes), copies out %zu (%zu bytes)\n", launches, copies_in, bytes_in,
              copies_out, bytes_out);
  }
};
static Counts counts;
static unsigned long long seed = 1;
static cudaError_t last_error = cudaSuccess;

static unsigned draw(unsigned below)
{
  seed = seed * 6364136223846793005ull + 1442695040888963407ull;
  return unsigned((seed >> 33) % below);
}

static void run(const std::function<void()> &kernel, dim3 grid, dim3 block)
{
#ifdef __SANITIZE_THREAD__
  const size_t n_workers = 4;
#else
  const size_t n_workers = 1;
#endif
  const size_t n = grid.count() * block.count();
  std::vector<size_t> order(n);
  for (size_t i = 0; i < n; i++)
    order[i] = i;
  for (size_t i = n; i > 1; i--)
    std::swap(order[i - 1], order[draw(unsigned(std::min<size_t>(i, 1u << 30)))]);
  auto work = [&](size_t worker) {
    gridDim = grid, blockDim = block;
    for (size_t i = worker; i < n; i += n_workers) {
      blockIdx = grid.at(order[i] / block.count());
      threadIdx = block.at(order[i] % block.count());
      kernel();
    }
  };
  std::vector<std::thread> workers;
  for (size_t worker = 1; worker < n_workers; worker++)
    workers.emplace_back(work, worker);
  work(0);
  for (std::thread &worker : workers)
    worker.join();
}

// `kernel<<<grid, block>>>(arguments)`, as tests rewrite it.
template <class... P, class... A> static void launch(void (*kernel)(P...), dim3 grid, dim3 block, A... arguments)
{
  counts.launches++;
  if (block.count() > 1024 || block.count() == 0 || grid.count() == 0 || grid.y > 65535 || grid.z > 65535) {
    last_error = cudaErrorInvalidConfiguration;
    return;
  }
  run([=] { kernel(arguments...); }, grid, block);
}
} // namespace emulation

static cudaError_t cudaMalloc(void **memory, size_t bytes)
{
  const char *fail = getenv("EMULATION_FAIL");
  if (fail && ++emulation::counts.allocations == size_t(atoi(fail)))
    return cudaErrorMemoryAllocation;
  *memory = malloc(bytes);
  if (*memory)
    memset(*memory, 0xfb, bytes);
  return *memory ? cudaSuccess : cudaErrorMemoryAllocation;
}

static cudaError_t cudaFree(void *memory)
{
  free(memory);
  return cudaSuccess;
}

static cudaError_t cudaMemcpy2D(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width, size_t height,
                                cudaMemcpyKind kind)
{
  const bool is_in = kind == cudaMemcpyHostToDevice;
  (is_in ? emulation::counts.copies_in : emulation::counts.copies_out)++;
  (is_in ? emulation::counts.bytes_in : emulation::counts.bytes_out) += width * height;
  for (size_t row = 0; row < height; row++)
    memcpy((char *) to + row * to_pitch, (const char *) from + row * from_pitch, width);
  return cudaSuccess;
}

static cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, cudaMemcpyKind kind)
{
  return cudaMemcpy2D(to, bytes, from, bytes, bytes, 1, kind);
}

struct cudaExtent { size_t width, height, depth; };
struct cudaPos { size_t x, y, z; };
struct cudaPitchedPtr { void *ptr; size_t pitch, xsize, ysize; };
struct cudaMemcpy3DParms {
  cudaPos srcPos, dstPos;
  cudaPitchedPtr srcPtr, dstPtr;
  cudaExtent extent;
  cudaMemcpyKind kind;
};
static cudaExtent make_cudaExtent(size_t width, size_t height, size_t depth) { return {width, height, depth}; }
static cudaPitchedPtr make_cudaPitchedPtr(void *ptr, size_t pitch, size_t xsize, size_t ysize) { return {ptr, pitch, xsize, ysize}; }

static cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms *copy)
{
  const bool is_in = copy->kind == cudaMemcpyHostToDevice;
  const cudaExtent &extent = copy->extent;
  (is_in ? emulation::counts.copies_in : emulation::counts.copies_out)++;
  (is_in ? emulation::counts.bytes_in : emulation::counts.bytes_out) += extent.width * extent.height * extent.depth;
  auto at = [](const cudaPitchedPtr &memory, size_t row, size_t slice) {
    return (char *) memory.ptr + (slice * memory.ysize + row) * memory.pitch;
  };
  for (size_t slice = 0; slice < extent.depth; slice++)
    for (size_t row = 0; row < extent.height; row++)
      memcpy(at(copy->dstPtr, row, slice), at(copy->srcPtr, row, slice), extent.width);
  return cudaSuccess;
}

static cudaError_t cudaDeviceSynchronize(void) { return cudaSuccess; }

static cudaError_t cudaGetLastError(void)
{
  const cudaError_t error = emulation::last_error;
  emulation::last_error = cudaSuccess;
  return error;
}

static const char *cudaGetErrorString(cudaError_t error)
{
  return error == cudaErrorMemoryAllocation ? "out of memory" : error ? "invalid configuration" : "no error";
}
