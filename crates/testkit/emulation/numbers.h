// Numbers that count their operations, and references to memory that note each access.
//
// In the text of kernels `double` is written `emulation::number<double>`; what is read from memory is one, too. An operation between numbers of
// which one is counted is counted, and its result is a counted number. With EMULATION_PLAIN numbers are plain and nothing is counted, for texts
// in which a class cannot stand in place of `double`.
//
// Elements of a tile beyond an array's end may be read and computed with, if no result is stored. So a counted number knows whether it comes from a value
// that was never written, and what is found is that such a number is stored in global memory, compared or converted.
#pragma once
#include "memory.h"
#include "warps.h"
#include <cmath>
#include <type_traits>

namespace emulation {
template <class T> class Counted;
template <class T> class Reference;

#ifdef EMULATION_PLAIN
constexpr bool is_counting = false;
template <class T> using number = T;
#else
constexpr bool is_counting = true;
template <class T> using number = std::conditional_t<std::is_floating_point_v<T>, Counted<T>, T>;
#endif

// A number, and whether it comes from a value that was never written.
template <class T> struct Taken {
  T value;
  bool is_undefined;

  // The number, where it has an effect.
  T used() const
  {
    if (is_undefined)
      report.find(Finding::undefined, "thread %u of block %u uses a value that was never written", now.thread, now.block);
    return value;
  }
};

// What can stand in an operation: plain numbers, counted ones, and references.
template <class X, class = void> struct Operand {
  static constexpr bool is_one = false, is_counted = false;
};
template <class X> struct Operand<X, std::enable_if_t<std::is_arithmetic_v<X>>> {
  static constexpr bool is_one = true, is_counted = false;
  static Taken<X> take(X x) { return {x, false}; }
};
template <class T> struct Operand<Counted<T>> {
  static constexpr bool is_one = true, is_counted = true;
  static Taken<T> take(const Counted<T> &x) { return {x.value, x.is_undefined}; }
};
template <class T> struct Operand<Reference<T>> {
  static constexpr bool is_one = true, is_counted = is_counting && std::is_floating_point_v<T>;
  static Taken<T> take(const Reference<T> &x) { return x.take(); }
};
template <class A, class B>
constexpr bool is_counted_pair = Operand<A>::is_one && Operand<B>::is_one && (Operand<A>::is_counted || Operand<B>::is_counted);
template <class X> constexpr bool is_counted_one = Operand<X>::is_counted;

template <class R> number<R> counted_result(R result, bool is_undefined)
{
  report.counts.operations += std::is_floating_point_v<R>;
  number<R> counted(result);
  if constexpr (std::is_class_v<number<R>>)
    counted.is_undefined = is_undefined;
  return counted;
}

template <class T> class Counted {
public:
  T value;
  bool is_undefined = false;
  Counted() = default;
  template <class U, class = std::enable_if_t<Operand<U>::is_one>> explicit Counted(const U &other) { *this = other; }
  operator T() const { return Taken<T>{value, is_undefined}.used(); }
  template <class U, class = std::enable_if_t<Operand<U>::is_one>> Counted &operator=(const U &other)
  {
    const auto taken = Operand<U>::take(other);
    value = T(taken.value), is_undefined = taken.is_undefined;
    return *this;
  }
#define EMULATION_UPDATE(op)                                                                                                       \
  template <class U> Counted &operator op##=(const U &other)                                                                       \
  {                                                                                                                                \
    const auto taken = Operand<U>::take(other);                                                                                    \
    report.counts.operations++;                                                                                                    \
    value = T(value op taken.value), is_undefined |= taken.is_undefined;                                                           \
    return *this;                                                                                                                  \
  }
  EMULATION_UPDATE(+) EMULATION_UPDATE(-) EMULATION_UPDATE(*) EMULATION_UPDATE(/)
#undef EMULATION_UPDATE
  Counted operator-() const
  {
    Counted negative(*this);
    negative.value = -value;
    return negative;
  }
};

// An element of memory, at a place of the text.
template <class T> class Reference {
public:
  Reference(Memory *memory, T *at, const void *text) : memory(memory), at(at), text(text) {}
  Reference(const Reference &) = default;

  Taken<T> take() const
  {
    const Touched touched = memory->touch(at, sizeof(T), false, false);
    if (touched == Touched::outside)
      return {T(), false};
    warps.access(text, at, sizeof(T), false, memory->is_shared);
    return {*at, touched == Touched::undefined};
  }
  T load() const { return take().used(); }
  // A write that has begun: until its end there is no value.
  void begin() const { memory->touch(at, sizeof(T), true, true); }
  template <class U> void store(Taken<U> taken) const
  {
    if (!memory->is_shared)
      taken.used();
    if (memory->touch(at, sizeof(T), true, taken.is_undefined) == Touched::outside)
      return;
    warps.access(text, at, sizeof(T), true, memory->is_shared);
    *at = T(taken.value);
  }

  // Combines what is there with a value by one instruction, and returns what was there.
  template <char op> T update(T value) const
  {
    const Touched touched = memory->touch_by_instruction(at, sizeof(T));
    if (touched == Touched::outside)
      return T();
    report.counts.atomics++;
    warps.access(text, at, sizeof(T), false, memory->is_shared);
    warps.access(text, at, sizeof(T), true, memory->is_shared);
    const T old = Taken<T>{*at, touched == Touched::undefined}.used();
    using Bits = std::make_unsigned_t<T>;
    const Bits a = Bits(old), b = Bits(value);
    *at = T(op == '+' ? a + b : op == '-' ? a - b : op == '&' ? a & b : op == '|' ? a | b : a ^ b);
    return old;
  }

  operator T() const { return load(); }
  T *address() const { return at; }
  Memory *in() const { return memory; }
  template <class U> const Reference &operator=(const U &other) const
  {
    store(Operand<U>::take(other));
    return *this;
  }
  const Reference &operator=(const Reference &other) const
  {
    store(other.take());
    return *this;
  }
#define EMULATION_UPDATE(op)                                                                                                       \
  template <class U> const Reference &operator op##=(const U &other) const                                                         \
  {                                                                                                                                \
    const Taken<T> old = take();                                                                                                   \
    const auto taken = Operand<U>::take(other);                                                                                    \
    report.counts.operations += std::is_floating_point_v<T>;                                                                       \
    store(Taken<T>{T(old.value op taken.value), old.is_undefined || taken.is_undefined});                                          \
    return *this;                                                                                                                  \
  }
  EMULATION_UPDATE(+) EMULATION_UPDATE(-) EMULATION_UPDATE(*) EMULATION_UPDATE(/) EMULATION_UPDATE(%) EMULATION_UPDATE(&)
  EMULATION_UPDATE(|) EMULATION_UPDATE(^) EMULATION_UPDATE(<<) EMULATION_UPDATE(>>)
#undef EMULATION_UPDATE
  const Reference &operator++() const { return *this += 1; }
  const Reference &operator--() const { return *this -= 1; }
  T operator++(int) const
  {
    const T old = load();
    store(Taken<T>{T(old + 1), false});
    return old;
  }
  T operator--(int) const
  {
    const T old = load();
    store(Taken<T>{T(old - 1), false});
    return old;
  }
  // Of integers these are what the language does with the values; of counted numbers:
  number<decltype(-T())> operator-() const
  {
    const Taken<T> taken = take();
    if constexpr (std::is_class_v<number<decltype(-T())>>) {
      number<decltype(-T())> negative(-taken.value);
      negative.is_undefined = taken.is_undefined;
      return negative;
    } else
      return -taken.used();
  }

private:
  Memory *memory;
  T *at;
  const void *text;
};

#define EMULATION_BINARY(op)                                                                                                       \
  template <class A, class B, class = std::enable_if_t<is_counted_pair<A, B>>> auto operator op(const A &a, const B &b)            \
  {                                                                                                                                \
    const auto x = Operand<A>::take(a);                                                                                            \
    const auto y = Operand<B>::take(b);                                                                                            \
    return counted_result(x.value op y.value, x.is_undefined || y.is_undefined);                                                                                               \
  }
EMULATION_BINARY(+) EMULATION_BINARY(-) EMULATION_BINARY(*) EMULATION_BINARY(/)
#undef EMULATION_BINARY
#define EMULATION_COMPARISON(op)                                                                                                   \
  template <class A, class B, class = std::enable_if_t<is_counted_pair<A, B>>> bool operator op(const A &a, const B &b)            \
  {                                                                                                                                \
    const auto x = Operand<A>::take(a).used();                                                                                     \
    const auto y = Operand<B>::take(b).used();                                                                                     \
    return x op y;                                                                                                                 \
  }
EMULATION_COMPARISON(<) EMULATION_COMPARISON(>) EMULATION_COMPARISON(<=) EMULATION_COMPARISON(>=) EMULATION_COMPARISON(==)
EMULATION_COMPARISON(!=)
#undef EMULATION_COMPARISON

#define EMULATION_FUNCTION(f, double_f, float_f)                                                                                   \
  template <class X, class = std::enable_if_t<is_counted_one<X>>> auto f(const X &x)                                               \
  {                                                                                                                                \
    const auto taken = Operand<X>::take(x);                                                                                        \
    if constexpr (std::is_same_v<decltype(taken.value), float>)                                                                    \
      return counted_result(::float_f(taken.value), taken.is_undefined);                                                           \
    else                                                                                                                           \
      return counted_result(::double_f(taken.value), taken.is_undefined);                                                                                  \
  }
#define EMULATION_FUNCTIONS(name) EMULATION_FUNCTION(name, name, name##f) EMULATION_FUNCTION(name##f, name##f, name##f)
EMULATION_FUNCTIONS(sqrt) EMULATION_FUNCTIONS(exp) EMULATION_FUNCTIONS(log) EMULATION_FUNCTIONS(sin) EMULATION_FUNCTIONS(cos)
EMULATION_FUNCTIONS(tan) EMULATION_FUNCTIONS(fabs) EMULATION_FUNCTIONS(floor) EMULATION_FUNCTIONS(ceil)
#undef EMULATION_FUNCTIONS
#undef EMULATION_FUNCTION

// `atomicAdd(&to, value)` is written `emulation::update<'+'>(to, value)`, and its like.
template <char op, class T, class U> T update(const Reference<T> &to, const U &value)
{
  return to.template update<op>(T(value));
}
} // namespace emulation
