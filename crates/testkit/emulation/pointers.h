// Pointers to memory of the device, and arrays in shared memory.
#pragma once
#include "numbers.h"

namespace emulation {
// In the text of kernels `T *name` is written `emulation::global<T> name`.
template <class T> class global {
  using Plain = std::remove_const_t<T>;

public:
  explicit global(T *start) : memory(memory_of(start)), start(start) {}
  global(T *start, Memory *memory) : memory(memory), start(start) {}
  template <class U> global(const global<U> &other) : memory(other.memory), start(other.start) {}

  __attribute__((noinline)) auto operator[](long long i) const { return element(i, __builtin_return_address(0)); }
  __attribute__((noinline)) auto operator*() const { return element(0, __builtin_return_address(0)); }
  global operator+(long long i) const { return global(start + i, memory); }

  Memory *memory;
  T *start;

private:
  auto element(long long i, const void *text) const
  {
    if (!memory) {
      static Memory nothing(nullptr, 0, false);
      report.find(Finding::memory, "a kernel's argument is not memory of the device");
      return of(Reference<Plain>(&nothing, const_cast<Plain *>(start + i), text));
    }
    return of(Reference<Plain>(memory, const_cast<Plain *>(start + i), text));
  }

  static number<Plain> counted(Taken<Plain> taken)
  {
    if constexpr (std::is_class_v<number<Plain>>) {
      number<Plain> counted(taken.value);
      counted.is_undefined = taken.is_undefined;
      return counted;
    } else
      return taken.used();
  }

  // What is only read is read at once, so that it can stand beside numbers after `?`.
  static auto of(const Reference<Plain> &element)
  {
    if constexpr (std::is_const_v<T>)
      return counted(element.take());
    else
      return element;
  }
};

// A row of an array in shared memory.
template <class T, size_t... rest> class Row;
template <class T, size_t first, size_t... rest> class Row<T, first, rest...> {
public:
  Row(Memory *memory, T *start) : memory(memory), start(start) {}
  __attribute__((noinline)) auto operator[](long long i) const
  {
    if (i < 0 || size_t(i) >= first)
      report.find(Finding::outside, "thread %u of block %u: subscript %lld of %zu in shared memory", now.thread, now.block, i, first);
    if constexpr (sizeof...(rest) == 0)
      return Reference<T>(memory, start + i, __builtin_return_address(0));
    else
      return Row<T, rest...>(memory, start + i * (long long) (rest * ... * 1));
  }

private:
  Memory *memory;
  T *start;
};

// `__shared__ T name[2][3];` is written `static emulation::tile<T, 2, 3> name;`.
template <class T, size_t... sizes> class tile : public Row<T, sizes...> {
public:
  tile() : tile(new Space) { report.counts.shared_bytes += (sizes * ... * sizeof(T)); }

private:
  struct alignas(128) Space {
    char bytes[(sizes * ... * sizeof(T))];
  };
  explicit tile(Space *space) : tile(space, new Memory(space, sizeof(space->bytes), true)) {}
  tile(Space *space, Memory *memory) : Row<T, sizes...>(memory, (T *) space) { shared_memories.push_back(memory); }
};
} // namespace emulation
