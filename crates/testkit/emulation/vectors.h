// Accesses of 16 bytes, which a thread makes by one instruction: they have to be aligned.
//
// `*(const double2 *) &A[i]` is written `emulation::vector_at<double, 2>(emulation::spot(A, i))`, and `double2` elsewhere `emulation::vector<double, 2>`.
#pragma once
#include "pointers.h"
#include <array>

namespace emulation {
constexpr unsigned vector_bytes = 16;

// Where an access begins.
template <class T> struct Spot {
  Memory *memory;
  T *at;

  void check() const
  {
    if (uintptr_t(at) % vector_bytes)
      report.find(Finding::misaligned, "thread %u of block %u: an access of %u bytes at byte %zu", now.thread, now.block, vector_bytes,
                  size_t((const char *) at - memory->start));
  }
};

template <class T> auto spot(const global<T> &array, long long i)
{
  using Plain = std::remove_const_t<T>;
  static Memory nothing(nullptr, 0, false);
  if (!array.memory)
    report.find(Finding::memory, "a kernel's argument is not memory of the device");
  return Spot<Plain>{array.memory ? array.memory : &nothing, const_cast<Plain *>(array.start + i)};
}

template <class T, size_t n> Spot<T> spot(const Row<T, n> &row, long long i)
{
  const Reference<T> element = row[i];
  return {element.in(), element.address()};
}

// Elements by their names.
template <class T, unsigned n> struct vector {
  number<T> x, y, z, w;
};

template <class T, unsigned n> class Vector {
public:
  Vector(Spot<T> spot, const void *text) : spot(spot), text(text) {}

  std::array<Taken<T>, n> take() const
  {
    spot.check();
    std::array<Taken<T>, n> taken;
    for (unsigned i = 0; i < n; i++) {
      const Touched touched = spot.memory->touch(spot.at + i, sizeof(T), false, false);
      taken[i] = {touched == Touched::outside ? T() : spot.at[i], touched == Touched::undefined};
    }
    warps.access(text, spot.at, n * sizeof(T), false, spot.memory->is_shared);
    return taken;
  }

  // Until their end the elements of a write that has begun have no value.
  void begin() const
  {
    for (unsigned i = 0; i < n; i++)
      spot.memory->touch(spot.at + i, sizeof(T), true, true);
  }

  void store(const std::array<Taken<T>, n> &taken) const
  {
    spot.check();
    for (unsigned i = 0; i < n; i++)
      if (spot.memory->touch(spot.at + i, sizeof(T), true, taken[i].is_undefined) != Touched::outside)
        spot.at[i] = taken[i].value;
    warps.access(text, spot.at, n * sizeof(T), true, spot.memory->is_shared);
  }

  operator vector<T, n>() const
  {
    const auto taken = take();
    vector<T, n> values;
    number<T> *const fields[] = {&values.x, &values.y, &values.z, &values.w};
    for (unsigned i = 0; i < n; i++)
      if constexpr (std::is_class_v<number<T>>)
        fields[i]->value = taken[i].value, fields[i]->is_undefined = taken[i].is_undefined;
      else
        *fields[i] = taken[i].used();
    return values;
  }

  const Vector &operator=(const Vector &other) const
  {
    store(other.take());
    return *this;
  }

private:
  Spot<T> spot;
  const void *text;
};

template <class T, unsigned n> __attribute__((noinline)) Vector<T, n> vector_at(Spot<T> spot)
{
  return Vector<T, n>(spot, __builtin_return_address(0));
}
} // namespace emulation
