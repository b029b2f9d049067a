// Launches: blocks one after another, and the threads of a block as fibres, which run in an order drawn anew between barriers. The blocks of a
// cooperative launch take turns at barriers across blocks; those that have come there are as good as a launch that has ended, for what follows.
#pragma once
#include "vectors.h"
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
enum { cudaSuccess = 0, cudaErrorInvalidValue = 1, cudaErrorMemoryAllocation = 2, cudaErrorInvalidConfiguration = 9, cudaErrorCooperativeLaunchTooLarge = 720 };

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
  enum State { ready, waiting, waiting_for_grid, waiting_for_warp, done } state = done;
  // What it gives to the other lanes of its warp; shuffles with odd and with even numbers have places of their own.
  struct Given {
    unsigned char bytes[8] = {};
    bool is_undefined = false;
  } given[2];
  // The lanes that an instruction of the warp names, and how far away they read.
  uint32_t n_shuffles = 0, lanes = 0, distance = 0;
  static constexpr size_t stack_bytes = 128 << 10;
  std::unique_ptr<char[]> stack;
  jmp_buf place;
};

class Launch {
public:
  void run(const std::function<void()> &new_kernel, dim3 grid, dim3 block, bool is_cooperative = false)
  {
    kernel = &new_kernel, gridDim = grid, blockDim = block, runs_together = is_cooperative;
    now.launch++;
    if (runs_together)
      run_together();
    else
      for (size_t i = 0; i < grid.count(); i++) {
        begin_block(i, 0);
        if (run_block(i, 0))
          report.find(Finding::barrier, "block %zu comes to a barrier across blocks, in a launch whose blocks do not run at the same time", i);
      }
    report.counts.blocks += grid.count();
    report.counts.threads += grid.count() * block.count();
  }

  void barrier() { leave(Fibre::waiting); }
  void grid_barrier() { leave(Fibre::waiting_for_grid); }
  // Until all threads of the warp are here.
  void warp_barrier() { running->lanes = all_lanes, running->distance = 0, leave(Fibre::waiting_for_warp); }

  // What the lane some way further gives, or the own value where the warp has none that far. All lanes come to it.
  Fibre::Given shuffle(uint32_t lanes, const Fibre::Given &own, unsigned distance)
  {
    Fibre &fibre = *running;
    const unsigned turn = fibre.n_shuffles++ % 2, lane = now.thread % warp_threads;
    fibre.given[turn] = own, fibre.lanes = lanes, fibre.distance = distance;
    leave(Fibre::waiting_for_warp);
    const unsigned from = lane + distance < warp_threads ? lane + distance : lane;
    return fibres[first_fibre + now.thread - lane + from].given[turn];
  }

private:
  // A block of a cooperative launch, between its turns.
  struct Turn {
    uint32_t phase = 0, serial = 0;
    std::vector<Memory::Kept> shared;
  };

  bool runs_together = false;
  const std::function<void()> *kernel = nullptr;
  std::vector<Fibre> fibres = std::vector<Fibre>(1024);
  size_t first_fibre = 0;
  Fibre *running = nullptr;
  jmp_buf scheduler;

  void swap_shared(Turn &turn)
  {
    turn.shared.resize(shared_memories.size());
    for (size_t i = 0; i < shared_memories.size(); i++)
      shared_memories[i]->swap(turn.shared[i]);
  }

  // All blocks up to a barrier across them, again and again.
  void run_together()
  {
    const size_t n = gridDim.count(), n_threads = blockDim.count();
    if (fibres.size() < n * n_threads)
      fibres.resize(n * n_threads);
    std::vector<Turn> turns(n);
    for (size_t i = 0; i < n; i++) {
      begin_block(i, i * n_threads);
      turns[i].serial = now.serial;
    }
    for (bool is_first = true;; is_first = false) {
      size_t n_waiting = 0;
      for (size_t i = 0; i < n; i++) {
        blockIdx = gridDim.at(i);
        now.block = uint32_t(i), now.phase = turns[i].phase, now.serial = turns[i].serial;
        if (!is_first && n > 1)
          swap_shared(turns[i]);
        n_waiting += run_block(i, i * n_threads);
        turns[i].phase = now.phase;
        if (n > 1)
          swap_shared(turns[i]);
      }
      now.serial = turns[n - 1].serial;
      if (n_waiting == 0)
        return;
      if (n_waiting < n)
        report.find(Finding::barrier, "%zu of %zu blocks come to a barrier across blocks", n_waiting, n);
      report.counts.grid_barriers++;
      now.launch++;
    }
  }

  void begin_block(size_t number, size_t first)
  {
    blockIdx = gridDim.at(number);
    now.block = uint32_t(number), now.phase = 0, now.serial++;
    for (size_t i = 0; i < blockDim.count(); i++)
      fibres[first + i].state = Fibre::ready, fibres[first + i].n_shuffles = 0;
    first_fibre = first;
  }

  // A block to its end, or to a barrier across blocks: whether it is there. Its threads have the fibres from a first one on.
  bool run_block(size_t number, size_t first)
  {
    const size_t n = blockDim.count(), n_warps = (n + warp_threads - 1) / warp_threads;
    first_fibre = first;
    for (size_t i = 0; i < n; i++)
      if (fibres[first + i].state == Fibre::waiting_for_grid)
        fibres[first + i].state = Fibre::ready;
    std::vector<size_t> order(n_warps);
    std::iota(order.begin(), order.end(), 0);
    for (;;) {
      for (size_t i = n_warps; i > 1; i--)
        std::swap(order[i - 1], order[draw(unsigned(i))]);
      for (size_t warp : order)
        run_warp(warp * warp_threads, std::min(n, (warp + 1) * warp_threads));
      size_t n_waiting = 0, n_for_grid = 0;
      for (size_t i = 0; i < n; i++)
        if (fibres[first + i].state == Fibre::waiting)
          n_waiting++, fibres[first + i].state = Fibre::ready;
        else
          n_for_grid += fibres[first + i].state == Fibre::waiting_for_grid;
      if (n_waiting == 0 && n_for_grid > 0 && n_for_grid < n)
        report.find(Finding::barrier, "%zu of %zu threads of block %zu come to a barrier across blocks", n_for_grid, n, number);
      if (n_waiting == 0 && n_for_grid > 0)
        now.phase++;
      if (n_waiting == 0)
        return n_for_grid > 0;
      if (n_waiting < n)
        report.find(Finding::barrier, "%zu of %zu threads of block %zu come to a barrier", n_waiting, n, number);
      report.counts.barriers++;
      report.counts.thread_barriers += n_waiting;
      now.phase++;
    }
  }

  // A warp up to a barrier of its block.
  void run_warp(size_t first, size_t end)
  {
    for (;;) {
      run_warp_alone(first, end);
      size_t n_here = 0;
      const Fibre *one = nullptr;
      bool are_alike = true;
      for (size_t thread = first; thread < end; thread++) {
        Fibre &fibre = fibres[first_fibre + thread];
        if (fibre.state != Fibre::waiting_for_warp)
          continue;
        one = one ? one : &fibre;
        n_here++, fibre.state = Fibre::ready;
        are_alike &= fibre.lanes == one->lanes && fibre.distance == one->distance && fibre.n_shuffles == one->n_shuffles;
      }
      if (n_here == 0)
        return;
      report.counts.shuffles += one->distance > 0;
      if (n_here < warp_threads || !are_alike || one->lanes != all_lanes)
        report.find(Finding::barrier, "%zu of %u threads of a warp come to an instruction of lanes %08x", n_here, warp_threads, one->lanes);
    }
  }

  // A warp up to an instruction of all its threads.
  void run_warp_alone(size_t first, size_t end)
  {
    const unsigned shift = draw(warp_threads);
    for (unsigned i = 0; i < end - first; i++) {
      const size_t thread = first + (i + shift) % (end - first);
      if (fibres[first_fibre + thread].state != Fibre::ready)
        continue;
      now.thread = uint32_t(thread);
      threadIdx = blockDim.at(thread);
      warps.start_thread();
      resume(fibres[first_fibre + thread]);
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

// Notes a launch; false if no device has such sizes.
inline bool begin_launch(const char *name, dim3 grid, dim3 block)
{
  report.counts.launches++;
  report.kernel = name;
  report.kernels[name].launches++;
  report.kernels[name].block_threads = block.count();
  if (block.count() > 1024 || block.z > 64 || block.count() == 0 || grid.count() == 0 || grid.x > 2147483647 || grid.y > 65535 || grid.z > 65535) {
    report.find(Finding::configuration, "a grid of %u x %u x %u and blocks of %u x %u x %u", grid.x, grid.y, grid.z, block.x, block.y, block.z);
    last_error = cudaErrorInvalidConfiguration;
    return false;
  }
  return true;
}

// The names of kernels by their functions, as far as they are known.
inline std::map<const void *, std::string> names;

// `kernel<<<sizes>>>(arguments)`.
template <class... P, class... A> void launch(const char *name, void (*kernel)(P...), Sizes sizes, const A &...arguments)
{
  if (!begin_launch(name, sizes.grid, sizes.block))
    return;
  const std::tuple<P...> converted(static_cast<P>(arguments)...);
  Launch::instance().run([&] { std::apply(kernel, converted); }, sizes.grid, sizes.block);
  report.kernel = "the host";
}
} // namespace emulation
