// What CUDA's groups of threads have that kernels with barriers across blocks need.
#pragma once
#include "threads.h"

namespace cooperative_groups {
struct grid_group {
  void sync() const { emulation::Launch::instance().grid_barrier(); }
};
inline grid_group this_grid() { return {}; }
} // namespace cooperative_groups
