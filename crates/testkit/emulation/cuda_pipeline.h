// Asynchronous copies of elements into shared memory. A copy reads at once; its element has no value until the thread waits for it.
//
// `__pipeline_memcpy_async(&to, &from, bytes)` is written `emulation::copy_asynchronously(to, from)`.
#pragma once
#include "cuda_runtime.h"

namespace emulation {
// What a thread has begun, in batches; the last batch is not committed.
struct Begun {
  uint32_t serial = 0;
  std::vector<std::vector<std::function<void()>>> batches = {{}};
};

inline Begun &begun()
{
  static std::vector<Begun> all(1024);
  Begun &own = all[now.thread];
  if (own.serial != now.serial)
    own = Begun(), own.serial = now.serial;
  return own;
}

template <class T, class U> void copy_asynchronously(const Reference<T> &to, const U &from)
{
  const auto taken = Operand<U>::take(from);
  to.begin();
  begun().batches.back().push_back([=] { to.store(taken); });
}

// `__pipeline_memcpy_async(&to, &from, 16)` is written so. It reads at once; its elements have no value until the thread waits for it.
template <class T> __attribute__((noinline)) void copy_vector_asynchronously(Spot<T> to, Spot<T> from)
{
  const void *text = __builtin_return_address(0);
  constexpr unsigned n = vector_bytes / sizeof(T);
  const Vector<T, n> target(to, text);
  const auto taken = Vector<T, n>(from, text).take();
  target.begin();
  begun().batches.back().push_back([=] { target.store(taken); });
}
} // namespace emulation

inline void __pipeline_commit() { emulation::begun().batches.emplace_back(); }

inline void __pipeline_wait_prior(size_t n)
{
  auto &batches = emulation::begun().batches;
  while (batches.size() > n + 1) {
    for (auto &copy : batches.front())
      copy();
    batches.erase(batches.begin());
  }
}
