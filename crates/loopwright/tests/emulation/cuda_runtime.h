// CUDA's run-time library on the host, for tests: kernels are functions, the threads of a block are contexts with stacks of their
// own, which run up to the next barrier in an order drawn anew each time; so do the blocks of a launch. A thread that ends while others wait
// at a barrier ends the program with a message. With ThreadSanitizer blocks run on four threads of the processor, and each context
// counts as a thread, ordered by barriers alone, so it finds what two threads of a launch must not do.
//
// Memory of the device is filled with bytes that are no sensible value, and what lies in it cannot be reached by the program's
// own pointers. Where the program has streams, what stands in them and in the default one runs as late as waits allow, and copies
// back as early. In a cooperative launch all blocks run up to a barrier across blocks before any of them goes on. EMULATION_REPORT=1 prints what was launched and copied; EMULATION_FAIL=N lets the N-th allocation fail.
#pragma once
#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <functional>
#include <memory>
#include <thread>
#include <tuple>
#include <ucontext.h>
#include <vector>

#define __global__ static
#define __device__
#define __forceinline__ inline
#define __launch_bounds__(threads)
// Memory of a block: a processor's thread runs one block after the other.
#define __shared__ static thread_local
#define __align__(bytes) __attribute__((aligned(bytes)))

#ifdef __SANITIZE_THREAD__
extern "C" {
void *__tsan_get_current_fiber(void);
void *__tsan_create_fiber(unsigned flags);
void __tsan_destroy_fiber(void *fiber);
void __tsan_switch_to_fiber(void *fiber, unsigned flags);
void __tsan_acquire(void *address);
void __tsan_release(void *address);
}
#define NOT_WATCHED __attribute__((no_sanitize("thread")))
#else
#define NOT_WATCHED
#endif

// Accesses of 16 bytes have to be aligned. The types themselves are not, so that it is seen.
namespace emulation {
static void check_alignment(const void *at)
{
  if ((size_t) at % 16 == 0)
    return;
  fprintf(stderr, "an access of 16 bytes that is not aligned so\n");
  _Exit(3);
}

template <class T> struct Two {
  T x, y;
  Two(const Two &other) { check_alignment(&other), x = other.x, y = other.y; }
  Two &operator=(const Two &other)
  {
    check_alignment(this), check_alignment(&other);
    x = other.x, y = other.y;
    return *this;
  }
};

template <class T> struct Four {
  T x, y, z, w;
  Four(const Four &other) { check_alignment(&other), x = other.x, y = other.y, z = other.z, w = other.w; }
  Four &operator=(const Four &other)
  {
    check_alignment(this), check_alignment(&other);
    x = other.x, y = other.y, z = other.z, w = other.w;
    return *this;
  }
};
} // namespace emulation
typedef emulation::Two<double> double2;
typedef emulation::Two<long> long2;
typedef emulation::Two<unsigned long> ulong2;
typedef emulation::Four<float> float4;
typedef emulation::Four<int> int4;
typedef emulation::Four<unsigned> uint4;

struct dim3 {
  unsigned x, y, z;
  dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1) : x(x), y(y), z(z) {}
  size_t count() const { return size_t(x) * y * z; }
  dim3 at(size_t i) const { return dim3(unsigned(i % x), unsigned(i / x % y), unsigned(i / x / y)); }
};
static thread_local dim3 gridDim, blockDim, blockIdx, threadIdx;

typedef int cudaError_t;
enum { cudaSuccess = 0, cudaErrorInvalidValue = 1, cudaErrorMemoryAllocation = 2, cudaErrorInvalidConfiguration = 9, cudaErrorCooperativeLaunchTooLarge = 720 };
enum cudaDeviceAttr { cudaDevAttrMultiProcessorCount = 16 };
enum cudaMemcpyKind { cudaMemcpyHostToDevice = 1, cudaMemcpyDeviceToHost = 2 };

namespace emulation {
struct Counts {
  size_t launches = 0, allocations = 0, copies_in = 0, copies_out = 0, bytes_in = 0, bytes_out = 0, pinned = 0;
  ~Counts()
  {
    if (!getenv("EMULATION_REPORT"))
      return;
    fprintf(stderr, "launches %zu, copies in %zu (%zu bytes), copies out %zu (%zu bytes)\n", launches, copies_in, bytes_in,
            copies_out, bytes_out);
    if (pinned)
      fprintf(stderr, "ranges in pages that stay: %zu\n", pinned);
  }
};
static Counts counts;
static unsigned long long seed = 1;
static cudaError_t last_error = cudaSuccess;

static unsigned draw(unsigned below)
{
  seed = seed * 6364136223846793005ull + 1442695040888963407ull;
  return unsigned((seed >> 33) % below);
}

// What is done before a release at an address is seen after an acquire there.
static void release(void *address)
{
#ifdef __SANITIZE_THREAD__
  __tsan_release(address);
#endif
  (void) address;
}

static void acquire(void *address)
{
#ifdef __SANITIZE_THREAD__
  __tsan_acquire(address);
#endif
  (void) address;
}

// A copy that a thread has begun.
struct Copy {
  void *to;
  const void *from;
  size_t bytes;
};

// A thread of a block.
struct Context {
  ucontext_t state;
  static constexpr size_t stack_bytes = 128 << 10;
  std::unique_ptr<char[]> stack;
  void *fiber = nullptr;
  dim3 thread;
  bool has_ended = true;
  // What it has begun to copy, in batches; the last one is not committed.
  std::vector<std::vector<Copy>> batches;
  // Whether it waits for all blocks, or for the threads of its warp.
  bool waits_for_grid = false, waits_for_warp = false;
  // How many instructions of warps it has executed, and what it gives to the other lanes: those with odd and with even numbers have
  // places of their own.
  size_t n_executed = 0, number = 0;
  unsigned long long given[2] = {0, 0};
};

// A block of a cooperative launch.
struct Resident {
  dim3 number;
  std::vector<Context> contexts;
  std::vector<size_t> order;
};

// Workers that wait for each other: the blocks of a cooperative launch that are at a barrier across blocks, and those that have ended.
struct Meeting {
  std::mutex mutex;
  std::condition_variable changed;
  size_t n_workers = 0, n_here = 0, turn = 0;
  size_t n_waiting = 0, n_ended = 0, of_turn = 0;

  // The number of blocks that wait, of all workers; it ends the program if others have ended.
  size_t meet(size_t waiting, size_t ended)
  {
    std::unique_lock<std::mutex> lock(mutex);
    n_waiting += waiting, n_ended += ended;
    const size_t own_turn = turn;
    if (++n_here == n_workers) {
      if (n_waiting > 0 && n_ended > 0) {
        fprintf(stderr, "%zu blocks have ended while %zu wait at a barrier across blocks\n", n_ended, n_waiting);
        _Exit(3);
      }
      of_turn = n_waiting, n_here = n_waiting = 0, turn++;
      changed.notify_all();
    } else
      changed.wait(lock, [&] { return turn != own_turn; });
    return of_turn;
  }
};
static Meeting meeting;
// What is done before a barrier across blocks is seen after it; those with odd and with even numbers have places of their own.
static char grid_barriers[2] = {0, 0};
static bool runs_together = false;

// What runs the blocks of a launch, one after the other.
struct Worker {
  std::vector<Context> contexts;
  ucontext_t state;
  void *fiber = nullptr;
  Context *current = nullptr;
  const std::function<void()> *kernel = nullptr;
  unsigned long long seed = 1;
  // Blocks that follow each other use the same memory of the block; barriers with odd and with even numbers have places of their own.
  char between_blocks = 0, barriers[2] = {0, 0};
  size_t n_barriers = 0, n_grid_barriers = 0;

  unsigned draw(unsigned below)
  {
    seed = seed * 6364136223846793005ull + 1442695040888963407ull;
    return unsigned((seed >> 33) % below);
  }

  NOT_WATCHED void resume(Context &context)
  {
    current = &context;
    threadIdx = context.thread;
#ifdef __SANITIZE_THREAD__
    __tsan_switch_to_fiber(context.fiber, 1);
#endif
    swapcontext(&state, &context.state);
  }

  NOT_WATCHED void suspend()
  {
    Context &context = *current;
#ifdef __SANITIZE_THREAD__
    __tsan_switch_to_fiber(fiber, 1);
#endif
    swapcontext(&context.state, &state);
  }

  NOT_WATCHED void start(Context &context, void (*entry)());
  NOT_WATCHED void block(dim3 number, dim3 size);
  NOT_WATCHED void begin(Resident &block, dim3 size);
  NOT_WATCHED bool turn(Resident &block);
  NOT_WATCHED void warp_turn(Resident &block);
  NOT_WATCHED void together(std::vector<Resident> &blocks, dim3 size);
};
static thread_local Worker *worker;

static NOT_WATCHED void run_thread()
{
  acquire(&worker->between_blocks);
  (*worker->kernel)();
  release(&worker->between_blocks);
  worker->current->has_ended = true;
  worker->suspend();
}

NOT_WATCHED void Worker::start(Context &context, void (*entry)())
{
  if (!context.stack)
    context.stack.reset(new char[Context::stack_bytes]);
#ifdef __SANITIZE_THREAD__
  if (context.fiber == nullptr)
    context.fiber = __tsan_create_fiber(0);
#endif
  getcontext(&context.state);
  context.state.uc_stack.ss_sp = context.stack.get();
  context.state.uc_stack.ss_size = Context::stack_bytes;
  context.state.uc_link = nullptr;
  context.has_ended = false;
  context.batches.assign(1, {});
  makecontext(&context.state, entry, 0);
}

NOT_WATCHED void Worker::begin(Resident &block, dim3 size)
{
  block.contexts.resize(std::max(block.contexts.size(), size.count()));
  block.order.resize(size.count());
  for (size_t i = 0; i < block.order.size(); i++) {
    block.order[i] = i;
    block.contexts[i].thread = size.at(i);
    block.contexts[i].waits_for_grid = block.contexts[i].waits_for_warp = false;
    block.contexts[i].number = i, block.contexts[i].n_executed = 0;
    start(block.contexts[i], run_thread);
  }
}

// The threads that wait for those of their warp go on, all of which have to wait.
NOT_WATCHED void Worker::warp_turn(Resident &block)
{
  std::vector<size_t> n_here(32, 0), here;
  for (size_t i : block.order)
    if (block.contexts[i].waits_for_warp)
      n_here[i / 32]++, here.push_back(i);
  for (size_t n : n_here)
    if (n % 32 != 0) {
      fprintf(stderr, "%zu threads of a warp wait for the others\n", n);
      _Exit(3);
    }
  for (size_t i : here) {
    block.contexts[i].waits_for_warp = false;
    resume(block.contexts[i]);
  }
}

// All threads of a block, from barrier to barrier: whether they come to one across blocks before their end.
NOT_WATCHED bool Worker::turn(Resident &block)
{
  std::vector<Context> &contexts = block.contexts;
  std::vector<size_t> &order = block.order;
  blockIdx = block.number;
  while (!order.empty()) {
    for (size_t i = order.size(); i > 1; i--)
      std::swap(order[i - 1], order[draw(unsigned(i))]);
    const size_t n_running = order.size();
    for (size_t i : order)
      resume(contexts[i]);
    while (std::any_of(order.begin(), order.end(), [&](size_t i) { return contexts[i].waits_for_warp; }))
      warp_turn(block);
    order.erase(std::remove_if(order.begin(), order.end(), [&](size_t i) { return contexts[i].has_ended; }), order.end());
    if (!order.empty() && order.size() < n_running) {
      fprintf(stderr, "%zu threads of a block have ended while %zu wait at a barrier\n", n_running - order.size(), order.size());
      _Exit(3);
    }
    n_barriers++;
    const size_t n_for_grid = std::count_if(order.begin(), order.end(), [&](size_t i) { return contexts[i].waits_for_grid; });
    for (size_t i : order)
      contexts[i].waits_for_grid = false;
    if (n_for_grid > 0 && (n_for_grid < order.size() || !runs_together)) {
      fprintf(stderr, "%zu of %zu threads wait at a barrier across blocks%s\n", n_for_grid, order.size(),
              runs_together ? "" : ", in a launch whose blocks do not run at the same time");
      _Exit(3);
    }
    if (n_for_grid > 0)
      return true;
  }
  return false;
}

NOT_WATCHED void Worker::block(dim3 number, dim3 size)
{
  Resident block;
  block.number = number;
  block.contexts.swap(contexts);
  begin(block, size);
  turn(block);
  contexts.swap(block.contexts);
}

// The blocks of a worker in a cooperative launch.
NOT_WATCHED void Worker::together(std::vector<Resident> &blocks, dim3 size)
{
  for (Resident &block : blocks)
    begin(block, size);
  for (;;) {
    size_t n_waiting = 0;
    for (Resident &block : blocks)
      n_waiting += turn(block);
    if (meeting.meet(n_waiting, blocks.size() - n_waiting) == 0)
      break;
    n_grid_barriers++;
  }
#ifdef __SANITIZE_THREAD__
  for (Resident &block : blocks)
    for (Context &context : block.contexts)
      __tsan_destroy_fiber(context.fiber);
#endif
}

static void run(const std::function<void()> &kernel, dim3 grid, dim3 block, bool is_cooperative = false)
{
#ifdef __SANITIZE_THREAD__
  const size_t n_workers = 4;
#else
  const size_t n_workers = 1;
#endif
  const size_t n = grid.count();
  std::vector<size_t> order(n);
  for (size_t i = 0; i < n; i++)
    order[i] = i;
  for (size_t i = n; i > 1; i--)
    std::swap(order[i - 1], order[draw(unsigned(std::min<size_t>(i, 1u << 30)))]);
  auto work = [&](size_t first, Worker *own) {
    worker = own;
    gridDim = grid, blockDim = block;
    own->kernel = &kernel;
#ifdef __SANITIZE_THREAD__
    own->fiber = __tsan_get_current_fiber();
#endif
    // Contexts see what was done before the launch, and what they do is seen after it.
    release(&own->between_blocks);
    own->n_grid_barriers = 0;
    if (is_cooperative) {
      std::vector<Resident> blocks;
      for (size_t i = first; i < n; i += n_workers)
        blocks.emplace_back().number = grid.at(order[i]);
      own->together(blocks, block);
    } else
      for (size_t i = first; i < n; i += n_workers)
        own->block(grid.at(order[i]), block);
    acquire(&own->between_blocks);
  };
  static Worker owns[n_workers];
  meeting.n_workers = n_workers, meeting.n_ended = 0, runs_together = is_cooperative;
  std::vector<std::thread> workers;
  for (size_t i = 0; i < n_workers; i++) {
    owns[i].seed = draw(1u << 30);
    workers.emplace_back(work, i, &owns[i]);
  }
  for (std::thread &worker : workers)
    worker.join();
}

// A stream: work that waits until something asks for it.
struct Stream {
  std::deque<std::function<void()>> work;
  size_t n_queued = 0, n_done = 0;

  void put(std::function<void()> next)
  {
    work.push_back(std::move(next));
    n_queued++;
  }

  void run_to(size_t n)
  {
    while (n_done < n) {
      const std::function<void()> next = std::move(work.front());
      work.pop_front();
      n_done++;
      next();
    }
  }
};
static Stream default_stream;
static std::vector<Stream *> streams;

static Stream &stream_of(Stream *stream) { return stream ? *stream : default_stream; }

// In a stream if there are any, or at once.
static void put(Stream &stream, std::function<void()> work)
{
  if (streams.empty())
    work();
  else
    stream.put(std::move(work));
}

// All that is queued, in the order in which a missing wait shows: copies back, kernels, copies to the device.
static void run_all()
{
  for (size_t i = streams.size(); i > 1; i--)
    streams[i - 1]->run_to(streams[i - 1]->n_queued);
  default_stream.run_to(default_stream.n_queued);
  if (!streams.empty())
    streams[0]->run_to(streams[0]->n_queued);
}

// The end of what stands in a stream.
struct Event {
  Stream *stream = nullptr;
  size_t at = 0;
};

// Pages of the host that stay.
static std::vector<std::pair<size_t, size_t>> pinned;

// Whether a range of the host is partly in such pages: then it cannot be copied.
static bool is_partly_pinned(const void *host, size_t bytes)
{
  const size_t first = (size_t) host, end = first + bytes;
  for (const auto &own : pinned)
    if (first < own.second && own.first < end && (first < own.first || own.second < end))
      return true;
  return false;
}

// `kernel<<<grid, block>>>(arguments)`, as tests rewrite it.
template <class... P, class... A> static void launch(void (*kernel)(P...), dim3 grid, dim3 block, A... arguments)
{
  counts.launches++;
  if (block.count() > 1024 || block.count() == 0 || grid.count() == 0 || grid.y > 65535 || grid.z > 65535) {
    last_error = cudaErrorInvalidConfiguration;
    return;
  }
  put(default_stream, [=] { run([=] { kernel(arguments...); }, grid, block); });
}
} // namespace emulation

static NOT_WATCHED void __syncthreads(void)
{
  emulation::Worker *const worker = emulation::worker;
  char *const barrier = &worker->barriers[worker->n_barriers % 2];
  emulation::release(barrier);
  worker->suspend();
  emulation::acquire(barrier);
}

// Updates by one instruction.
#define UPDATES(type)                                                                                                     \
  static type atomicAdd(type *to, type value) { return __atomic_fetch_add(to, value, __ATOMIC_RELAXED); }                 \
  static type atomicAnd(type *to, type value) { return __atomic_fetch_and(to, value, __ATOMIC_RELAXED); }                 \
  static type atomicOr(type *to, type value) { return __atomic_fetch_or(to, value, __ATOMIC_RELAXED); }                   \
  static type atomicXor(type *to, type value) { return __atomic_fetch_xor(to, value, __ATOMIC_RELAXED); }
UPDATES(int)
UPDATES(unsigned)
UPDATES(unsigned long long)
#undef UPDATES
static int atomicSub(int *to, int value) { return __atomic_fetch_sub(to, value, __ATOMIC_RELAXED); }
static unsigned atomicSub(unsigned *to, unsigned value) { return __atomic_fetch_sub(to, value, __ATOMIC_RELAXED); }

// The register of the lane some way further, or the own value where the warp has none that far. Nothing else is seen by that.
template <class T> static NOT_WATCHED T __shfl_down_sync(unsigned lanes, T own, unsigned distance)
{
  emulation::Context *const context = emulation::worker->current;
  const size_t turn = context->n_executed++ % 2, lane = context->number % 32;
  union { unsigned long long bits; T value; } given;
  given.bits = 0, given.value = own, context->given[turn] = given.bits, context->waits_for_warp = true;
  if (lanes != 0xffffffff) {
    fprintf(stderr, "a shuffle of lanes %08x\n", lanes);
    _Exit(3);
  }
  emulation::worker->suspend();
  given.bits = context[lane + distance < 32 ? distance : 0].given[turn];
  return given.value;
}

// Bits are passed on as the number that they are.
static float __float_as_uint(float value)
{
  return value;
}

namespace emulation {
// What the threads of a warp pass to an instruction, and a place for what is done before it and after it.
struct Passed {
  double a[4][32], b[2][32];
  char barrier;
};

static void expect(const char *text, const char *known)
{
  if (strcmp(text, known) != 0) {
    fprintf(stderr, "an unknown instruction: %s\n", text);
    _Exit(3);
  }
}

// What an instruction sees of the bits of a factor: of tf32 the sign, the exponent, and 10 bits.
static double seen(double value)
{
  return value;
}

static double seen(float value)
{
  unsigned bits;
  memcpy(&bits, &value, sizeof(bits));
  bits &= 0xffffe000u;
  memcpy(&value, &bits, sizeof(bits));
  return value;
}

// D = A B + D for R rows of each thread and S groups of four products: thread 4 r + c has a[r + 8 h][c + 4 s], b[c + 4 s][r], and d[r + 8 h][2 c + e].
template <unsigned R, unsigned S, class T> static void add_products(T *const (&d)[2 * R], const T (&a)[R * S], const T (&b)[S])
{
  // Those that go on to the next instruction are not there before all others have read what was passed for this one.
  static thread_local Passed all[32][2];
  const size_t thread = threadIdx.x + blockDim.x * (threadIdx.y + size_t(blockDim.y) * threadIdx.z), lane = thread % 32;
  Context &own = *worker->current;
  Passed &passed = all[thread / 32][own.n_executed++ % 2];
  for (unsigned i = 0; i < R * S; i++)
    passed.a[i][lane] = seen(a[i]);
  for (unsigned s = 0; s < S; s++)
    passed.b[s][lane] = seen(b[s]);
  release(&passed.barrier);
  own.waits_for_warp = true;
  worker->suspend();
  acquire(&passed.barrier);
  for (unsigned h = 0; h < R; h++)
    for (unsigned e = 0; e < 2; e++)
      // In an order that is none of the program.
      for (unsigned k = 4 * S; k-- > 0;)
        *d[2 * h + e] = std::fma(T(passed.a[k / 4 * R + h][lane / 4 * 4 + k % 4]), T(passed.b[k / 4][(lane % 4 * 2 + e) * 4 + k % 4]), *d[2 * h + e]);
}

// `asm volatile("text" : "+d"(d0), "+d"(d1) : "d"(a), "d"(b))`, as tests rewrite it.
static void ptx(const char *text, double &d0, double &d1, double a, double b)
{
  expect(text, "mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%0, %1};");
  add_products<1, 1, double>({&d0, &d1}, {a}, {b});
}

static void ptx(const char *text, double &d0, double &d1, double &d2, double &d3, double a0, double a1, double a2, double a3, double b0, double b1)
{
  expect(text, "mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};");
  add_products<2, 2, double>({&d0, &d1, &d2, &d3}, {a0, a1, a2, a3}, {b0, b1});
}

static void ptx(const char *text, float &d0, float &d1, float &d2, float &d3, float a0, float a1, float a2, float a3, float b0, float b1)
{
  expect(text, "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};");
  add_products<2, 2, float>({&d0, &d1, &d2, &d3}, {a0, a1, a2, a3}, {b0, b1});
}

// The nearest number with 10 bits behind the first one, ties away from zero.
static void ptx(const char *text, float &value)
{
  expect(text, "{ .reg .b32 bits; cvt.rna.tf32.f32 bits, %0; mov.b32 %0, bits; }");
  unsigned bits;
  memcpy(&bits, &value, sizeof(bits));
  if (std::isfinite(value))
    bits = (bits + 0x1000u) & 0xffffe000u;
  memcpy(&value, &bits, sizeof(bits));
}
} // namespace emulation

static NOT_WATCHED void lw_emulated_grid_barrier(void)
{
  emulation::Worker *const worker = emulation::worker;
  char *const barrier = &emulation::grid_barriers[worker->n_grid_barriers % 2];
  emulation::release(barrier);
  worker->current->waits_for_grid = true;
  worker->suspend();
  emulation::acquire(barrier);
}

static cudaError_t cudaGetDevice(int *device)
{
  *device = 0;
  return cudaSuccess;
}

// A small device: four multiprocessors with 1024 threads.
static cudaError_t cudaDeviceGetAttribute(int *value, cudaDeviceAttr, int)
{
  *value = 4;
  return cudaSuccess;
}

template <class T> static cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, T, int threads, size_t)
{
  *blocks = 1024 / threads;
  return cudaSuccess;
}

template <class... P>
static cudaError_t cudaLaunchCooperativeKernel(void (*kernel)(P...), dim3 grid, dim3 block, void **arguments, size_t = 0, int = 0)
{
  emulation::counts.launches++;
  if (grid.count() * block.count() > 4096)
    return cudaErrorCooperativeLaunchTooLarge;
  size_t i = 0;
  (void) arguments;
  const std::tuple<P...> given{*(P *) arguments[i++]...};
  emulation::put(emulation::default_stream, [=] { emulation::run([=] { std::apply(kernel, given); }, grid, block, true); });
  return cudaSuccess;
}

static cudaError_t cudaMalloc(void **memory, size_t bytes)
{
  const char *fail = getenv("EMULATION_FAIL");
  if (fail && ++emulation::counts.allocations == size_t(atoi(fail)))
    return cudaErrorMemoryAllocation;
  *memory = malloc(bytes);
  if (*memory)
    memset(*memory, 0xfb, bytes);
  return *memory ? cudaSuccess : cudaErrorMemoryAllocation;
}

static cudaError_t cudaMallocManaged(void **memory, size_t bytes, unsigned = 1) { return cudaMalloc(memory, bytes); }

static cudaError_t cudaFree(void *memory)
{
  emulation::run_all();
  free(memory);
  return cudaSuccess;
}

typedef emulation::Stream *cudaStream_t;
typedef emulation::Event *cudaEvent_t;
enum { cudaStreamNonBlocking = 1, cudaEventDisableTiming = 2, cudaHostRegisterDefault = 0 };

static cudaError_t cudaMemcpy2DAsync(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width, size_t height,
                                     cudaMemcpyKind kind, cudaStream_t stream)
{
  const bool is_in = kind == cudaMemcpyHostToDevice;
  if ((!to || !from) && width * height)
    return cudaErrorInvalidValue;
  if (height > 0 && emulation::is_partly_pinned(is_in ? from : to, (height - 1) * (is_in ? from_pitch : to_pitch) + width))
    return cudaErrorInvalidValue;
  (is_in ? emulation::counts.copies_in : emulation::counts.copies_out)++;
  (is_in ? emulation::counts.bytes_in : emulation::counts.bytes_out) += width * height;
  emulation::put(emulation::stream_of(stream), [=] {
    for (size_t row = 0; row < height; row++)
      memcpy((char *) to + row * to_pitch, (const char *) from + row * from_pitch, width);
  });
  return cudaSuccess;
}

static cudaError_t cudaMemcpy2D(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width, size_t height,
                                cudaMemcpyKind kind)
{
  const cudaError_t error = cudaMemcpy2DAsync(to, to_pitch, from, from_pitch, width, height, kind, nullptr);
  emulation::run_all();
  return error;
}

static cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, cudaMemcpyKind kind, cudaStream_t stream)
{
  return cudaMemcpy2DAsync(to, bytes, from, bytes, bytes, 1, kind, stream);
}

static cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, cudaMemcpyKind kind)
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
static cudaExtent make_cudaExtent(size_t width, size_t height, size_t depth) { return {width, height, depth}; }
static cudaPitchedPtr make_cudaPitchedPtr(void *ptr, size_t pitch, size_t xsize, size_t ysize) { return {ptr, pitch, xsize, ysize}; }

static cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms *asked, cudaStream_t stream)
{
  const cudaMemcpy3DParms copy = *asked;
  const bool is_in = copy.kind == cudaMemcpyHostToDevice;
  const cudaExtent extent = copy.extent;
  const cudaPitchedPtr &host = is_in ? copy.srcPtr : copy.dstPtr;
  if (extent.height > 0 && extent.depth > 0 &&
      emulation::is_partly_pinned(host.ptr, ((extent.depth - 1) * host.ysize + extent.height - 1) * host.pitch + extent.width))
    return cudaErrorInvalidValue;
  (is_in ? emulation::counts.copies_in : emulation::counts.copies_out)++;
  (is_in ? emulation::counts.bytes_in : emulation::counts.bytes_out) += extent.width * extent.height * extent.depth;
  auto at = [](const cudaPitchedPtr &memory, size_t row, size_t slice) {
    return (char *) memory.ptr + (slice * memory.ysize + row) * memory.pitch;
  };
  emulation::put(emulation::stream_of(stream), [=] {
    for (size_t slice = 0; slice < extent.depth; slice++)
      for (size_t row = 0; row < extent.height; row++)
        memcpy(at(copy.dstPtr, row, slice), at(copy.srcPtr, row, slice), extent.width);
  });
  return cudaSuccess;
}

static cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms *copy)
{
  const cudaError_t error = cudaMemcpy3DAsync(copy, nullptr);
  emulation::run_all();
  return error;
}

static cudaError_t cudaDeviceSynchronize(void)
{
  emulation::run_all();
  return cudaSuccess;
}

static cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned)
{
  emulation::streams.push_back(*stream = new emulation::Stream);
  return cudaSuccess;
}

static cudaError_t cudaStreamSynchronize(cudaStream_t stream)
{
  stream->run_to(stream->n_queued);
  return cudaSuccess;
}

static cudaError_t cudaStreamDestroy(cudaStream_t stream)
{
  stream->run_to(stream->n_queued);
  std::vector<cudaStream_t> &all = emulation::streams;
  all.erase(std::remove(all.begin(), all.end(), stream), all.end());
  if (all.empty())
    emulation::default_stream.run_to(emulation::default_stream.n_queued);
  delete stream;
  return cudaSuccess;
}

static cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned)
{
  *event = new emulation::Event;
  return cudaSuccess;
}

static cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream)
{
  event->stream = &emulation::stream_of(stream);
  event->at = event->stream->n_queued;
  return cudaSuccess;
}

static cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned)
{
  const emulation::Event seen = *event;
  emulation::put(emulation::stream_of(stream), [=] { seen.stream->run_to(seen.at); });
  return cudaSuccess;
}

static cudaError_t cudaEventDestroy(cudaEvent_t event)
{
  delete event;
  return cudaSuccess;
}

static cudaError_t cudaHostRegister(void *memory, size_t bytes, unsigned)
{
  const size_t first = (size_t) memory, end = first + bytes;
  for (const auto &own : emulation::pinned)
    if (first < own.second && own.first < end)
      return emulation::last_error = 712;
  emulation::pinned.emplace_back(first, end);
  emulation::counts.pinned++;
  return cudaSuccess;
}

static cudaError_t cudaHostUnregister(void *memory)
{
  for (size_t i = 0; i < emulation::pinned.size(); i++)
    if (emulation::pinned[i].first == (size_t) memory) {
      emulation::pinned.erase(emulation::pinned.begin() + long(i));
      return cudaSuccess;
    }
  return cudaErrorInvalidValue;
}

static cudaError_t cudaGetLastError(void)
{
  const cudaError_t error = emulation::last_error;
  emulation::last_error = cudaSuccess;
  return error;
}

static const char *cudaGetErrorString(cudaError_t error)
{
  return error == cudaErrorInvalidValue ? "invalid argument" : error == cudaErrorMemoryAllocation ? "out of memory" : error ? "invalid configuration" : "no error";
}
