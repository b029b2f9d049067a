/* Kernels and the functions that launch them; generated, to be compiled by nvcc. With -fmad=false the results
   are those of the processor, bit by bit. */
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

/* Says what went wrong. */
static int lw_failed(cudaError_t error, const char *call, int line)
{
  if (error == cudaSuccess)
    return 0;
  fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, line, call, cudaGetErrorString(error));
  return 1;
}

/* A call before which nothing has come back: if it fails the processor does the work. */
#define LW_TRY(call) do { if (lw_failed((call), #call, __LINE__)) goto lw_end; } while (0)
/* A call after which results are partly back: if it fails there is no way on. */
#define LW_MUST(call) do { if (lw_failed((call), #call, __LINE__)) abort(); } while (0)
/* What subscripts of 32 bits are for: with larger values the processor does the work. */
#define LW_FITS(value, most) do { const long lw_checked = (long) (value); if (lw_checked > (most) || lw_checked < -(most)) { \
  fprintf(stderr, "%s:%d: %s is %ld: above %ld subscripts of 32 bits are too short (--no-short-subscripts)\n", \
    __FILE__, __LINE__, #value, lw_checked, (long) (most)); goto lw_end; } } while (0)

static cudaError_t lw_start(void)
{
  return cudaGetLastError();
}

template <class T> static cudaError_t lw_allocate(T **memory, size_t bytes)
{
  return cudaMalloc((void **) memory, bytes);
}

static void lw_release(void *memory)
{
  if (memory != NULL)
    (void) cudaFree(memory);
}

static cudaError_t lw_wait(void)
{
  return cudaDeviceSynchronize();
}

/* So many rows of so many bytes, a pitch apart, from the same place of one memory to that of the other. */
static cudaError_t lw_copy(char *to, const char *from, size_t pitch, size_t width, size_t height, cudaMemcpyKind kind)
{
  if (height == 1 || pitch == width)
    return cudaMemcpy(to, from, width * height, kind);
  return cudaMemcpy2D(to, pitch, from, pitch, width, height, kind);
}

static cudaError_t lw_copy_in(void *device, const void *host, size_t first, size_t pitch, size_t width, size_t height)
{
  return lw_copy((char *) device + first, (const char *) host + first, pitch, width, height, cudaMemcpyHostToDevice);
}

static cudaError_t lw_copy_out(void *host, const void *device, size_t first, size_t pitch, size_t width, size_t height)
{
  return lw_copy((char *) host + first, (const char *) device + first, pitch, width, height, cudaMemcpyDeviceToHost);
}

/* The same in so many slices, of so many rows each. */
static cudaError_t lw_copy_box(char *to, char *from, size_t pitch, size_t rows, size_t width, size_t height, size_t depth, cudaMemcpyKind kind)
{
  cudaMemcpy3DParms copy = {};
  if (height == 0 || depth == 0 || width == 0)
    return cudaSuccess;
  copy.srcPtr = make_cudaPitchedPtr(from, pitch, width, rows);
  copy.dstPtr = make_cudaPitchedPtr(to, pitch, width, rows);
  copy.extent = make_cudaExtent(width, height, depth);
  copy.kind = kind;
  return cudaMemcpy3D(&copy);
}

static cudaError_t lw_copy_box_in(void *device, const void *host, size_t first, size_t pitch, size_t rows, size_t width, size_t height, size_t depth)
{
  return lw_copy_box((char *) device + first, (char *) host + first, pitch, rows, width, height, depth, cudaMemcpyHostToDevice);
}

static cudaError_t lw_copy_box_out(void *host, void *device, size_t first, size_t pitch, size_t rows, size_t width, size_t height, size_t depth)
{
  return lw_copy_box((char *) host + first, (char *) device + first, pitch, rows, width, height, depth, cudaMemcpyDeviceToHost);
}

/* Rows that lie a pitch apart on the device and a stride apart on the host. */
static cudaError_t lw_copy_apart_in(void *device, const void *host, size_t on_device, size_t pitch, size_t on_host, size_t stride, size_t width, size_t height)
{
  return cudaMemcpy2D((char *) device + on_device, pitch, (const char *) host + on_host, stride, width, height, cudaMemcpyHostToDevice);
}

static cudaError_t lw_copy_apart_out(void *host, const void *device, size_t on_device, size_t pitch, size_t on_host, size_t stride, size_t width, size_t height)
{
  return cudaMemcpy2D((char *) host + on_host, stride, (const char *) device + on_device, pitch, width, height, cudaMemcpyDeviceToHost);
}

static unsigned lw_blocks(long wanted, long most)
{
  return (unsigned) (wanted < 1 ? 1 : wanted > most ? most : wanted);
}
