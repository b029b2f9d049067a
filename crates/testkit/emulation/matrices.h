// Instructions of PTX that the threads of a warp execute together.
//
// `asm volatile("text" : "+d"(x), ... : "d"(y), ...)` is written `emulation::ptx("text", x, ..., y, ...)`.
#pragma once
#include "threads.h"
#include <cmath>
#include <cstring>
#include <string>
#include <vector>

// Bits are passed on as the number that they are.
template <class T> const T &__float_as_uint(const T &value)
{
  return value;
}

namespace emulation {
// What the threads of a warp pass.
struct Passed {
  Taken<double> a[4][warp_threads], b[2][warp_threads];
};

inline void expect(const char *text, const std::string &known)
{
  if (text != known) {
    fprintf(stderr, "the emulation has no instruction %s\n", text);
    exit(3);
  }
}

// The nearest number with 10 bits behind the first one, ties away from zero.
inline float rounded_to_tf32(float value)
{
  uint32_t bits;
  memcpy(&bits, &value, sizeof(bits));
  if (std::isfinite(value))
    bits = (bits + 0x1000u) & 0xffffe000u;
  memcpy(&value, &bits, sizeof(bits));
  return value;
}

// What an instruction sees of the bits of a factor: of tf32 the sign, the exponent, and 10 bits.
inline double seen(double value)
{
  return value;
}

inline double seen(float value)
{
  uint32_t bits;
  memcpy(&bits, &value, sizeof(bits));
  bits &= 0xffffe000u;
  memcpy(&value, &bits, sizeof(bits));
  return value;
}

template <class X> Taken<double> passed_operand(const X &operand)
{
  const auto taken = Operand<X>::take(operand);
  return {seen(taken.value), taken.is_undefined};
}

// d += a b for an element of a matrix: the sum of the products, in an order that is none of the program.
template <unsigned R, unsigned S, class D> void add_products(D &d, const Passed &passed, unsigned lane, unsigned h, unsigned e)
{
  auto taken = Operand<D>::take(d);
  using T = decltype(taken.value);
  for (unsigned k = 4 * S; k-- > 0;) {
    const Taken<double> a = passed.a[k / 4 * R + h][lane / 4 * 4 + k % 4], b = passed.b[k / 4][(lane % 4 * 2 + e) * 4 + k % 4];
    taken.value = std::fma(T(a.value), T(b.value), taken.value);
    taken.is_undefined |= a.is_undefined || b.is_undefined;
    report.counts.operations += 2;
  }
  d = D(taken.value);
  if constexpr (std::is_class_v<D>)
    d.is_undefined = taken.is_undefined;
}

// D = A B + D for R rows of each thread and S groups of four products: thread 4 r + c has a[r + 8 h][c + 4 s], b[c + 4 s][r], and d[r + 8 h][2 c + e].
template <unsigned R, unsigned S, class D> void matrix_product(D *const (&d)[2 * R], const Taken<double> (&a)[R * S], const Taken<double> (&b)[S])
{
  // A thread that goes on to the next instruction is not there before all others have read what was passed for this one.
  static std::vector<unsigned> n_executed(1024);
  static std::vector<Passed> all(2 * 1024 / warp_threads);
  const unsigned lane = now.thread % warp_threads;
  Passed &passed = all[now.thread / warp_threads * 2 + n_executed[now.thread]++ % 2];
  for (unsigned i = 0; i < R * S; i++)
    passed.a[i][lane] = a[i];
  for (unsigned s = 0; s < S; s++)
    passed.b[s][lane] = b[s];
  report.counts.matrix_products += lane == 0;
  Launch::instance().warp_barrier();
  for (unsigned i = 0; i < 2 * R; i++)
    add_products<R, S>(*d[i], passed, lane, i / 2, i % 2);
}

template <class D, class A, class B> void ptx(const char *text, D &d0, D &d1, const A &a, const B &b)
{
  expect(text, "mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%0, %1};");
  matrix_product<1, 1, D>({&d0, &d1}, {passed_operand(a)}, {passed_operand(b)});
}

template <class D, class A0, class A1, class A2, class A3, class B0, class B1>
void ptx(const char *text, D &d0, D &d1, D &d2, D &d3, const A0 &a0, const A1 &a1, const A2 &a2, const A3 &a3, const B0 &b0, const B1 &b1)
{
  constexpr bool is_double = sizeof(Operand<D>::take(d0).value) == sizeof(double);
  expect(text, std::string("mma.sync.aligned.m16n8k8.row.col.") + (is_double ? "f64.f64.f64.f64" : "f32.tf32.tf32.f32") +
                   " {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};");
  matrix_product<2, 2, D>({&d0, &d1, &d2, &d3}, {passed_operand(a0), passed_operand(a1), passed_operand(a2), passed_operand(a3)},
                          {passed_operand(b0), passed_operand(b1)});
}

template <class T> void ptx(const char *text, T &value)
{
  expect(text, "{ .reg .b32 bits; cvt.rna.tf32.f32 bits, %0; mov.b32 %0, bits; }");
  const auto taken = Operand<T>::take(value);
  value = T(rounded_to_tf32(taken.value));
  if constexpr (std::is_class_v<T>)
    value.is_undefined = taken.is_undefined;
}
} // namespace emulation
