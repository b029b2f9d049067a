/* Copies to the device and back have streams of their own; kernels are in the default one. */
static thread_local cudaStream_t lw_arriving, lw_leaving;

static cudaStream_t lw_stream(cudaMemcpyKind kind)
{
  return kind == cudaMemcpyHostToDevice ? lw_arriving : lw_leaving;
}

static cudaError_t lw_open_streams(void)
{
  cudaError_t error = cudaGetLastError();
  if (error == cudaSuccess)
    error = cudaStreamCreateWithFlags(&lw_arriving, cudaStreamNonBlocking);
  if (error == cudaSuccess)
    error = cudaStreamCreateWithFlags(&lw_leaving, cudaStreamNonBlocking);
  return error;
}

static void lw_close_stream(cudaStream_t *stream)
{
  if (*stream != NULL) {
    (void) cudaStreamSynchronize(*stream);
    (void) cudaStreamDestroy(*stream);
  }
  *stream = NULL;
}

static void lw_close_streams(void)
{
  lw_close_stream(&lw_arriving);
  lw_close_stream(&lw_leaving);
}

/* What comes next in one stream waits for what there is in another one so far. */
static cudaError_t lw_await(cudaStream_t waiting, cudaStream_t other)
{
  cudaEvent_t event;
  cudaError_t error = cudaEventCreateWithFlags(&event, cudaEventDisableTiming);
  if (error != cudaSuccess)
    return error;
  error = cudaEventRecord(event, other);
  if (error == cudaSuccess)
    error = cudaStreamWaitEvent(waiting, event, 0);
  (void) cudaEventDestroy(event);
  return error;
}

static cudaError_t lw_kernels_await_copies(void)
{
  return lw_await(NULL, lw_arriving);
}

static cudaError_t lw_copies_await_kernels(void)
{
  return lw_await(lw_leaving, NULL);
}

static cudaError_t lw_await_copies(void)
{
  return cudaStreamSynchronize(lw_leaving);
}

