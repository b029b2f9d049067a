// Launches: blocks one after another, and the threads of a block as fibres, which run in an order drawn anew between barriers.
#pragma once
#include "pointers.h"
#include <csetjmp>
#include <functional>
#include <memory>
#include <numeric>
#include <tuple>
#include <ucontext.h>

struct dim3 {
  unsigned x, y, z;
  dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1) : x(x), y(y), z(z) {}
  size_t count() const { return size_t(x) * y * z; }
  dim3 at(size_t i) const { return dim3(unsigned(i % x), unsigned(i / x % y), unsigned(i / x / y)); }
};
inline dim3 gridDim, blockDim, blockIdx, threadIdx;
constexpr int warpSize = emulation::warp_threads;

typedef int cudaError_t;
typedef void *cudaStream_t;
enum { cudaSuccess = 0, cudaErrorInvalidValue = 1, cudaErrorMemoryAllocation = 2, cudaErrorInvalidConfiguration = 9 };

namespace emulation {
inline cudaError_t last_error = cudaSuccess;

inline unsigned draw(unsigned below)
{
  static unsigned long long seed = 1;
  seed = seed * 6364136223846793005ull + 1442695040888963407ull;
  return unsigned((seed >> 33) % below);
}

// A stack on which threads run, one after another.
struct Fibre {
  enum State { ready, waiting, done } state = done;
  static constexpr size_t stack_bytes = 128 << 10;
  std::unique_ptr<char[]> stack;
  jmp_buf place;
};

class Launch {
public:
  void run(const std::function<void()> &new_kernel, dim3 grid, dim3 block)
  {
    kernel = &new_kernel, gridDim = grid, blockDim = block;
    now.launch++;
    for (size_t i = 0; i < grid.count(); i++)
      run_block(i);
    report.counts.blocks += grid.count();
    report.counts.threads += grid.count() * block.count();
  }

  void barrier() { leave(Fibre::waiting); }

private:
  const std::function<void()> *kernel = nullptr;
  std::vector<Fibre> fibres = std::vector<Fibre>(1024);
  Fibre *running = nullptr;
  jmp_buf scheduler;

  void run_block(size_t number)
  {
    const size_t n = blockDim.count(), n_warps = (n + warp_threads - 1) / warp_threads;
    blockIdx = gridDim.at(number);
    now.block = uint32_t(number), now.phase = 0, now.serial++;
    for (size_t i = 0; i < n; i++)
      fibres[i].state = Fibre::ready;
    std::vector<size_t> order(n_warps);
    std::iota(order.begin(), order.end(), 0);
    for (;;) {
      for (size_t i = n_warps; i > 1; i--)
        std::swap(order[i - 1], order[draw(unsigned(i))]);
      for (size_t warp : order)
        run_warp(warp * warp_threads, std::min(n, (warp + 1) * warp_threads));
      size_t n_waiting = 0;
      for (size_t i = 0; i < n; i++)
        if (fibres[i].state == Fibre::waiting)
          n_waiting++, fibres[i].state = Fibre::ready;
      if (n_waiting == 0)
        return;
      if (n_waiting < n)
        report.find(Finding::barrier, "%zu of %zu threads of block %zu come to a barrier", n_waiting, n, number);
      report.counts.barriers++;
      report.counts.thread_barriers += n_waiting;
      now.phase++;
    }
  }

  void run_warp(size_t first, size_t end)
  {
    const unsigned shift = draw(warp_threads);
    for (unsigned i = 0; i < end - first; i++) {
      const size_t thread = first + (i + shift) % (end - first);
      if (fibres[thread].state != Fibre::ready)
        continue;
      now.thread = uint32_t(thread);
      threadIdx = blockDim.at(thread);
      warps.start_thread();
      resume(fibres[thread]);
    }
    warps.end_warp();
  }

  void resume(Fibre &fibre)
  {
    running = &fibre;
    if (_setjmp(scheduler))
      return;
    if (fibre.stack)
      _longjmp(fibre.place, 1);
    fibre.stack.reset(new char[Fibre::stack_bytes]);
    static ucontext_t first, back;
    getcontext(&first);
    first.uc_stack.ss_sp = fibre.stack.get(), first.uc_stack.ss_size = Fibre::stack_bytes, first.uc_link = nullptr;
    makecontext(&first, [] { instance().live(); }, 0);
    swapcontext(&back, &first);
  }

  // What a fibre does: one thread after another.
  void live()
  {
    for (;;) {
      (*kernel)();
      leave(Fibre::done);
    }
  }

  __attribute__((noinline)) void leave(Fibre::State state)
  {
    running->state = state;
    if (!_setjmp(running->place))
      _longjmp(scheduler, 1);
  }

public:
  static Launch &instance()
  {
    static Launch launch;
    return launch;
  }
};

// What stands between `<<<` and `>>>`.
struct Sizes {
  dim3 grid, block;
  Sizes(dim3 grid, dim3 block, size_t = 0, cudaStream_t = nullptr) : grid(grid), block(block) {}
};

// `kernel<<<sizes>>>(arguments)`.
template <class... P, class... A> void launch(const char *name, void (*kernel)(P...), Sizes sizes, const A &...arguments)
{
  const dim3 grid = sizes.grid, block = sizes.block;
  report.counts.launches++;
  report.kernel = name;
  report.kernels[name].launches++;
  report.kernels[name].block_threads = block.count();
  if (block.count() > 1024 || block.z > 64 || block.count() == 0 || grid.count() == 0 || grid.x > 2147483647 || grid.y > 65535 || grid.z > 65535) {
    report.find(Finding::configuration, "a grid of %u x %u x %u and blocks of %u x %u x %u", grid.x, grid.y, grid.z, block.x, block.y, block.z);
    last_error = cudaErrorInvalidConfiguration;
    return;
  }
  const std::tuple<P...> converted(static_cast<P>(arguments)...);
  Launch::instance().run([&] { std::apply(kernel, converted); }, grid, block);
  report.kernel = "the host";
}
} // namespace emulation
