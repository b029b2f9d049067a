/* Kernels of OpenCL and the functions that launch them; generated, to be compiled as C and linked with -lOpenCL. */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>

/* kernels */

static cl_context lw_context;
static cl_command_queue lw_queue;
static cl_program lw_program;

/* Says what went wrong. */
static int lw_failed(cl_int error, const char *call, int line)
{
  if (error == CL_SUCCESS)
    return 0;
  fprintf(stderr, "%s:%d: %s: OpenCL error %d\n", __FILE__, line, call, (int) error);
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

/* The first graphics processor of all platforms, or else the first device. */
static cl_int lw_find_device(cl_device_id *device)
{
  static const cl_device_type types[2] = {CL_DEVICE_TYPE_GPU, CL_DEVICE_TYPE_ALL};
  cl_platform_id platforms[16];
  cl_uint n_platforms = 0;
  cl_int error = clGetPlatformIDs(16, platforms, &n_platforms);
  if (error != CL_SUCCESS)
    return error;
  if (n_platforms > 16)
    n_platforms = 16;
  for (int type = 0; type < 2; type++)
    for (cl_uint platform = 0; platform < n_platforms; platform++)
      if (clGetDeviceIDs(platforms[platform], types[type], 1, device, NULL) == CL_SUCCESS)
        return CL_SUCCESS;
  return CL_DEVICE_NOT_FOUND;
}

/* Finds a device and builds the kernels. */
static cl_int lw_build(void)
{
  cl_device_id device;
  cl_int error;
  if ((error = lw_find_device(&device)) != CL_SUCCESS)
    return error;
  lw_context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
  if (error != CL_SUCCESS)
    return error;
  lw_queue = clCreateCommandQueue(lw_context, device, 0, &error);
  if (error != CL_SUCCESS)
    return error;
  lw_program = clCreateProgramWithSource(lw_context, sizeof lw_source / sizeof *lw_source, lw_source, NULL, &error);
  if (error != CL_SUCCESS)
    return error;
  if ((error = clBuildProgram(lw_program, 1, &device, "", NULL, NULL)) != CL_SUCCESS) {
    static char log[4096];
    if (clGetProgramBuildInfo(lw_program, device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL) == CL_SUCCESS)
      fprintf(stderr, "%s\n", log);
  }
  return error;
}

/* The same once in a program: of threads that come at the same time one does it, and the others wait. */
static cl_int lw_start(void)
{
  static volatile cl_int state = 1;
  static volatile char lock = 0;
  while (__sync_lock_test_and_set(&lock, 1))
    while (lock)
      ;
  if (state > 0)
    state = lw_build();
  const cl_int result = state;
  __sync_lock_release(&lock);
  return result;
}

/* A kernel of its own for each launch: the arguments of others stay as they are. */
static cl_int lw_kernel_of(cl_kernel *kernel, const char *name)
{
  cl_int error = CL_SUCCESS;
  if (*kernel == NULL)
    *kernel = clCreateKernel(lw_program, name, &error);
  return error;
}

static void lw_release_kernel(cl_kernel kernel)
{
  if (kernel != NULL)
    (void) clReleaseKernel(kernel);
}

static cl_int lw_allocate(cl_mem *memory, size_t bytes)
{
  cl_int error;
  *memory = clCreateBuffer(lw_context, CL_MEM_READ_WRITE, bytes, NULL, &error);
  return error;
}

static void lw_release(cl_mem memory)
{
  if (memory != NULL)
    (void) clReleaseMemObject(memory);
}

static cl_int lw_wait(void)
{
  return clFinish(lw_queue);
}

/* A box: slices of rows of bytes. Where memory of the host has the same layout as that of the device, both begin at the same place. */
static cl_int lw_copy_rows(cl_mem device, char *host, size_t on_device, size_t on_host, size_t pitch, size_t stride,
                           size_t rows, size_t width, size_t height, size_t depth, int is_in)
{
  const size_t region[3] = {width, height, depth};
  const size_t there[3] = {on_device % pitch, on_device / pitch % rows, on_device / pitch / rows};
  const size_t here[3] = {0, 0, 0};
  cl_int error;
  if (width == 0 || height == 0 || depth == 0)
    return CL_SUCCESS;
  if (is_in)
    error = clEnqueueWriteBufferRect(lw_queue, device, CL_FALSE, there, here, region, pitch, pitch * rows, stride,
                                     stride * rows, host + on_host, 0, NULL, NULL);
  else
    error = clEnqueueReadBufferRect(lw_queue, device, CL_FALSE, there, here, region, pitch, pitch * rows, stride,
                                    stride * rows, host + on_host, 0, NULL, NULL);
  return error == CL_SUCCESS ? clFinish(lw_queue) : error;
}

/* So many rows of so many bytes, a pitch apart, from the same place of one memory to that of the other. */
static cl_int lw_copy_in(cl_mem device, const void *host, size_t first, size_t pitch, size_t width, size_t height)
{
  if (height != 1 && pitch != width)
    return lw_copy_rows(device, (char *) host, first, first, pitch, pitch, height + first / pitch + 1, width, height, 1, 1);
  if (width * height == 0)
    return CL_SUCCESS;
  return clEnqueueWriteBuffer(lw_queue, device, CL_TRUE, first, width * height, (const char *) host + first, 0, NULL, NULL);
}

static cl_int lw_copy_out(void *host, cl_mem device, size_t first, size_t pitch, size_t width, size_t height)
{
  if (height != 1 && pitch != width)
    return lw_copy_rows(device, (char *) host, first, first, pitch, pitch, height + first / pitch + 1, width, height, 1, 0);
  if (width * height == 0)
    return CL_SUCCESS;
  return clEnqueueReadBuffer(lw_queue, device, CL_TRUE, first, width * height, (char *) host + first, 0, NULL, NULL);
}

/* The same in so many slices, of so many rows each. */
static cl_int lw_copy_box_in(cl_mem device, const void *host, size_t first, size_t pitch, size_t rows, size_t width, size_t height, size_t depth)
{
  return lw_copy_rows(device, (char *) host, first, first, pitch, pitch, rows, width, height, depth, 1);
}

static cl_int lw_copy_box_out(void *host, cl_mem device, size_t first, size_t pitch, size_t rows, size_t width, size_t height, size_t depth)
{
  return lw_copy_rows(device, (char *) host, first, first, pitch, pitch, rows, width, height, depth, 0);
}

/* Rows that lie a pitch apart on the device and a stride apart on the host. */
static cl_int lw_copy_apart_in(cl_mem device, const void *host, size_t on_device, size_t pitch, size_t on_host, size_t stride, size_t width, size_t height)
{
  return lw_copy_rows(device, (char *) host, on_device, on_host, pitch, stride, height + on_device / pitch + 1, width, height, 1, 1);
}

static cl_int lw_copy_apart_out(void *host, cl_mem device, size_t on_device, size_t pitch, size_t on_host, size_t stride, size_t width, size_t height)
{
  return lw_copy_rows(device, (char *) host, on_device, on_host, pitch, stride, height + on_device / pitch + 1, width, height, 1, 0);
}

static size_t lw_blocks(long wanted, long most)
{
  return (size_t) (wanted < 1 ? 1 : wanted > most ? most : wanted);
}
