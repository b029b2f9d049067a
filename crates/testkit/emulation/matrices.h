// Instructions of PTX that the threads of a warp execute together.
//
// `asm volatile("text" : "+d"(x), ... : "d"(y), ...)` is written `emulation::ptx("text", x, ..., y, ...)`.
#pragma once
#include "threads.h"
#include <cmath>
#include <string>
#include <vector>

namespace emulation {
// What the threads of a warp pass.
struct Passed {
  double a[warp_threads], b[warp_threads];
  bool is_undefined_a[warp_threads], is_undefined_b[warp_threads];
};

// d += a b for an element of a matrix: the sum of four products, in an order that is none of the program.
template <class D> void add_products(D &d, const Passed &passed, unsigned row, unsigned column)
{
  auto taken = Operand<D>::take(d);
  for (unsigned k = 4; k-- > 0;) {
    taken.value = std::fma(passed.a[4 * row + k], passed.b[4 * column + k], taken.value);
    taken.is_undefined |= passed.is_undefined_a[4 * row + k] || passed.is_undefined_b[4 * column + k];
    report.counts.operations += 2;
  }
  d = D(taken.value);
  if constexpr (std::is_class_v<D>)
    d.is_undefined = taken.is_undefined;
}

// Thread 4 r + c has a[r][c], b[c][r], and d[r][2 c] and d[r][2 c + 1].
template <class D, class A, class B> void ptx(const char *text, D &d0, D &d1, const A &a, const B &b)
{
  static const std::string known = "mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%0, %1};";
  if (text != known) {
    fprintf(stderr, "the emulation has no instruction %s\n", text);
    exit(3);
  }
  // A thread that goes on to the next instruction is not there before all others have read what was passed for this one.
  static std::vector<unsigned> n_executed(1024);
  static std::vector<Passed> all(2 * 1024 / warp_threads);
  const unsigned lane = now.thread % warp_threads;
  Passed &passed = all[now.thread / warp_threads * 2 + n_executed[now.thread]++ % 2];
  const auto own_a = Operand<A>::take(a);
  const auto own_b = Operand<B>::take(b);
  passed.a[lane] = own_a.value, passed.is_undefined_a[lane] = own_a.is_undefined;
  passed.b[lane] = own_b.value, passed.is_undefined_b[lane] = own_b.is_undefined;
  report.counts.matrix_products += lane == 0;
  Launch::instance().warp_barrier();
  add_products(d0, passed, lane / 4, lane % 4 * 2);
  add_products(d1, passed, lane / 4, lane % 4 * 2 + 1);
}
} // namespace emulation
