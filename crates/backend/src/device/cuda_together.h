#include <cooperative_groups.h>

/* All threads of all blocks wait for each other. */
static __device__ void lw_grid_barrier(void)
{
  if (gridDim.x * gridDim.y * gridDim.z == 1)
    __syncthreads();
  else
    cooperative_groups::this_grid().sync();
}

/* A launch of a kernel whose blocks wait for each other, with as many of them as run at the same time; no more than so few
   of them are one, which takes less time for their work than they wait for each other. */
template <class... P> static cudaError_t lw_launch_these(unsigned few, void (*kernel)(P...), dim3 grid, dim3 block, P... arguments)
{
  void *list[] = {(void *) &arguments..., NULL};
  int device = 0, processors = 0, resident = 0;
  const int threads = block.x * block.y * block.z;
  cudaError_t error = cudaGetDevice(&device);
  if (error == cudaSuccess)
    error = cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device);
  if (error == cudaSuccess)
    error = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, kernel, threads, 0);
  if (error != cudaSuccess)
    return error;
  unsigned most = processors * resident;
  if ((unsigned long long) grid.x * grid.y * grid.z <= few)
    most = 1;
  grid.x = grid.x < most ? grid.x : most;
  most = grid.x ? most / grid.x : 0;
  grid.y = grid.y < most ? grid.y : most;
  most = grid.y ? most / grid.y : 0;
  grid.z = grid.z < most ? grid.z : most;
  return cudaLaunchCooperativeKernel(kernel, grid, block, list, 0, 0);
}

template <class... P, class... A> static cudaError_t lw_launch_together(unsigned few, void (*kernel)(P...), dim3 grid, dim3 block, A... arguments)
{
  return lw_launch_these(few, kernel, grid, block, static_cast<P>(arguments)...);
}
