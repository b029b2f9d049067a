// CUDA's run-time library on the host, which counts what a program does on the device and finds what it must not do there.
//
// The text of kernels has to be rewritten before: `loopwright_testkit::emulation`.
#pragma once
#include "matrices.h"

#define __global__
#define __device__
#define __host__
#define __forceinline__ inline
#define __launch_bounds__(...)
#define __syncthreads() emulation::Launch::instance().barrier()

// The number of the lane some way further. It may be one that was never written, if nobody uses it.
template <class X> auto __shfl_down_sync(unsigned lanes, const X &own, unsigned distance)
{
  const auto taken = emulation::Operand<X>::take(own);
  using T = std::remove_const_t<decltype(taken.value)>;
  static_assert(sizeof(T) <= sizeof(emulation::Fibre::Given::bytes));
  emulation::Fibre::Given given;
  memcpy(given.bytes, &taken.value, sizeof(T)), given.is_undefined = taken.is_undefined;
  given = emulation::Launch::instance().shuffle(lanes, given, distance);
  T value;
  memcpy(&value, given.bytes, sizeof(T));
  emulation::number<T> result(value);
  if constexpr (std::is_class_v<emulation::number<T>>)
    result.is_undefined = given.is_undefined;
  return result;
}

enum cudaMemcpyKind { cudaMemcpyHostToHost, cudaMemcpyHostToDevice, cudaMemcpyDeviceToHost, cudaMemcpyDeviceToDevice, cudaMemcpyDefault };

template <class A, class B> std::common_type_t<A, B> min(A a, B b) { return b < a ? b : a; }
template <class A, class B> std::common_type_t<A, B> max(A a, B b) { return a < b ? b : a; }

inline cudaError_t cudaMalloc(void **memory, size_t bytes)
{
  // Memory of the device has no sensible values at first.
  char *start = (char *) aligned_alloc(256, (bytes + 255) / 256 * 256);
  if (!start)
    return cudaErrorMemoryAllocation;
  memset(start, 0xfb, bytes);
  emulation::allocations.emplace(start, emulation::Memory(start, bytes, false));
  emulation::report.counts.allocated_bytes += bytes;
  *memory = start;
  return cudaSuccess;
}

template <class T> cudaError_t cudaMalloc(T **memory, size_t bytes) { return cudaMalloc((void **) memory, bytes); }

// The host has this memory as well; what is copied to it and from it is counted all the same.
template <class T> cudaError_t cudaMallocManaged(T **memory, size_t bytes, unsigned = 1) { return cudaMalloc((void **) memory, bytes); }

inline cudaError_t cudaFree(void *memory)
{
  if (memory && !emulation::allocations.erase((char *) memory))
    emulation::report.find(emulation::Finding::memory, "what is freed is not memory of the device");
  else
    free(memory);
  return cudaSuccess;
}

namespace emulation {
// A row of a copy; false if it leaves the device's memory.
inline bool copy_row(char *to, const char *from, size_t width, cudaMemcpyKind kind)
{
  const void *on_device = kind == cudaMemcpyHostToDevice ? to : from;
  Memory *memory = memory_of(on_device);
  if (!memory || (const char *) on_device + width > memory->start + memory->bytes) {
    report.find(Finding::memory, "a copy of %zu bytes that are not all in one piece of the device's memory", width);
    return false;
  }
  if (kind == cudaMemcpyHostToDevice)
    memory->define(to, width);
  else if (!memory->is_defined(from, width))
    report.find(Finding::undefined_copy, "bytes %zu and following of %zu are copied back and have no value",
                size_t(from - memory->start), memory->bytes);
  memcpy(to, from, width);
  return true;
}
} // namespace emulation

inline cudaError_t cudaMemcpy2D(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width, size_t height, cudaMemcpyKind kind)
{
  emulation::Counts &counts = emulation::report.counts;
  if (kind == cudaMemcpyDefault)
    kind = emulation::memory_of(to) ? cudaMemcpyHostToDevice : cudaMemcpyDeviceToHost;
  if ((!to || !from) && width * height)
    return cudaErrorInvalidValue;
  const bool is_in = kind == cudaMemcpyHostToDevice;
  (is_in ? counts.copies_in : counts.copies_out)++;
  (is_in ? counts.bytes_in : counts.bytes_out) += width * height;
  for (size_t row = 0; width && row < height; row++)
    if (!emulation::copy_row((char *) to + row * to_pitch, (const char *) from + row * from_pitch, width, kind))
      return cudaErrorInvalidValue;
  return cudaSuccess;
}

inline cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, cudaMemcpyKind kind)
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

inline cudaExtent make_cudaExtent(size_t width, size_t height, size_t depth) { return {width, height, depth}; }

inline cudaPitchedPtr make_cudaPitchedPtr(void *ptr, size_t pitch, size_t xsize, size_t ysize)
{
  return {ptr, pitch, xsize, ysize};
}

/* A box from the places of both pointers; one copy. */
inline cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms *copy)
{
  emulation::Counts &counts = emulation::report.counts;
  const cudaExtent &extent = copy->extent;
  const bool is_in = copy->kind == cudaMemcpyHostToDevice;
  (is_in ? counts.copies_in : counts.copies_out)++;
  (is_in ? counts.bytes_in : counts.bytes_out) += extent.width * extent.height * extent.depth;
  auto row = [](const cudaPitchedPtr &memory, size_t slice, size_t row) {
    return (char *) memory.ptr + (slice * memory.ysize + row) * memory.pitch;
  };
  for (size_t z = 0; extent.width && z < extent.depth; z++)
    for (size_t y = 0; y < extent.height; y++)
      if (!emulation::copy_row(row(copy->dstPtr, z, y), row(copy->srcPtr, z, y), extent.width, copy->kind))
        return cudaErrorInvalidValue;
  return cudaSuccess;
}

// The emulated device: few multiprocessors, so that not too many threads run at the same time.
enum cudaDeviceAttr { cudaDevAttrMultiProcessorCount = 16, cudaDevAttrCooperativeLaunch = 95 };
namespace emulation {
constexpr int multiprocessors = 4, multiprocessor_threads = 1024;
}

inline cudaError_t cudaGetDevice(int *device)
{
  *device = 0;
  return cudaSuccess;
}

inline cudaError_t cudaDeviceGetAttribute(int *value, cudaDeviceAttr attribute, int)
{
  *value = attribute == cudaDevAttrMultiProcessorCount ? emulation::multiprocessors : 1;
  return cudaSuccess;
}

template <class T> cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, T, int threads, size_t)
{
  *blocks = threads > 0 ? emulation::multiprocessor_threads / threads : 0;
  return cudaSuccess;
}

template <class... P>
cudaError_t cudaLaunchCooperativeKernel(void (*kernel)(P...), dim3 grid, dim3 block, void **arguments, size_t = 0, cudaStream_t = nullptr)
{
  if (!emulation::begin_launch(emulation::names[(const void *) kernel].c_str(), grid, block))
    return emulation::last_error;
  if (grid.count() > size_t(emulation::multiprocessors) * (emulation::multiprocessor_threads / block.count()))
    return cudaErrorCooperativeLaunchTooLarge;
  size_t i = 0;
  (void) arguments;
  const std::tuple<P...> given{*(P *) arguments[i++]...};
  emulation::Launch::instance().run([&] { std::apply(kernel, given); }, grid, block, true);
  emulation::report.kernel = "the host";
  return cudaSuccess;
}

inline cudaError_t cudaDeviceSynchronize() { return cudaSuccess; }
inline cudaError_t cudaThreadSynchronize() { return cudaSuccess; }

inline cudaError_t cudaGetLastError()
{
  const cudaError_t error = emulation::last_error;
  emulation::last_error = cudaSuccess;
  return error;
}

inline const char *cudaGetErrorString(cudaError_t error)
{
  return error == cudaErrorInvalidValue ? "invalid argument" : error == cudaErrorMemoryAllocation ? "out of memory" : error ? "invalid configuration" : "no error";
}
