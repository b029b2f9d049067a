static void lw_finish(void)
{
  if (lw_arriving != NULL)
    (void) clFinish(lw_arriving);
  if (lw_leaving != NULL)
    (void) clFinish(lw_leaving);
}

/* What comes next in one queue waits for what there is in another one so far. */
static cl_int lw_await(cl_command_queue waiting, cl_command_queue other)
{
  cl_event event;
  cl_int error = clEnqueueMarkerWithWaitList(other, 0, NULL, &event);
  if (error != CL_SUCCESS)
    return error;
  error = clFlush(other);
  if (error == CL_SUCCESS)
    error = clEnqueueBarrierWithWaitList(waiting, 1, &event, NULL);
  (void) clReleaseEvent(event);
  return error;
}

static cl_int lw_kernels_await_copies(void)
{
  return lw_await(lw_queue, lw_arriving);
}

static cl_int lw_copies_await_kernels(void)
{
  return lw_await(lw_leaving, lw_queue);
}

static cl_int lw_await_copies(void)
{
  return clFinish(lw_leaving);
}

