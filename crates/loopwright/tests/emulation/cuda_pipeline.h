// Asynchronous copies: each arrives when its thread waits for it. Until then its destination holds bytes that are no sensible value.
#pragma once
#include "cuda_runtime.h"

static void __pipeline_memcpy_async(void *to, const void *from, size_t bytes)
{
  if ((bytes != 4 && bytes != 8 && bytes != 16) || (size_t) to % bytes || (size_t) from % bytes) {
    fprintf(stderr, "an asynchronous copy of %zu bytes that are not aligned so\n", bytes);
    _Exit(3);
  }
  memset(to, 0xfb, bytes);
  emulation::worker->current->batches.back().push_back({to, from, bytes});
}

static void __pipeline_commit(void) { emulation::worker->current->batches.emplace_back(); }

static void __pipeline_wait_prior(size_t n)
{
  auto &batches = emulation::worker->current->batches;
  while (batches.size() > n + 1) {
    for (const emulation::Copy &copy : batches.front())
      memcpy(copy.to, copy.from, copy.bytes);
    batches.erase(batches.begin());
  }
}
