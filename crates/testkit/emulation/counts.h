// What a run of a program did on the emulated device, and what it must not do.
//
// EMULATION_COUNTS=FILE: at its end the program writes there a line for each count, two for each kernel, and one for each kind of finding
// that there is.
// Findings are printed to the standard error, too, the first of each kind and kernel with an example.
#pragma once
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>

namespace emulation {
struct Counts {
  uint64_t launches = 0, blocks = 0, threads = 0;
  // Barriers are counted for blocks and for their threads.
  uint64_t barriers = 0, thread_barriers = 0;
  // Those across all blocks of a launch, once each.
  uint64_t grid_barriers = 0;
  // Of warps.
  uint64_t shuffles = 0;
  // Updates by one instruction, of threads; each is a load and a store besides.
  uint64_t atomics = 0;
  uint64_t allocated_bytes = 0, copies_in = 0, copies_out = 0, bytes_in = 0, bytes_out = 0;
  // Accesses are those of threads, requests those of warps, sectors have 32 bytes.
  uint64_t loads = 0, stores = 0, load_requests = 0, store_requests = 0, load_sectors = 0, store_sectors = 0;
  // The sectors that would do if the elements of each request lay side by side.
  uint64_t ideal_sectors = 0;
  uint64_t shared_loads = 0, shared_stores = 0, shared_requests = 0;
  // Cycles of the banks, and those that would do without conflicts.
  uint64_t shared_cycles = 0, ideal_shared_cycles = 0;
  uint64_t shared_bytes = 0, operations = 0;
  // Products of matrices by whole warps, whose operations are among those.
  uint64_t matrix_products = 0;
};

enum class Finding { race, outside, undefined, undefined_copy, barrier, configuration, memory, misaligned, kinds };

inline const char *name_of(Finding kind)
{
  static const char *const names[] = {"races", "outside", "undefined", "undefined_copies", "uneven_barriers", "wrong_sizes", "wrong_memory", "misaligned"};
  return names[int(kind)];
}

// How often a kernel was launched, and with how many threads in a block.
struct KernelCounts {
  uint64_t launches = 0, block_threads = 0;
};

struct Report {
  Counts counts;
  std::map<std::string, KernelCounts> kernels;
  uint64_t findings[int(Finding::kinds)] = {};
  std::string kernel = "the host";
  // What was said already.
  std::map<std::string, int> said;

  __attribute__((format(printf, 3, 4))) void find(Finding kind, const char *format, ...)
  {
    findings[int(kind)]++;
    if (said[std::string(name_of(kind)) + " " + kernel]++)
      return;
    char text[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof(text), format, arguments);
    va_end(arguments);
    fprintf(stderr, "emulation: %s: %s: %s\n", kernel.c_str(), name_of(kind), text);
  }

  void write(FILE *file) const
  {
    const Counts &c = counts;
    const std::pair<const char *, uint64_t> all[] = {
        {"launches", c.launches}, {"blocks", c.blocks}, {"threads", c.threads}, {"barriers", c.barriers},
        {"thread_barriers", c.thread_barriers}, {"grid_barriers", c.grid_barriers}, {"shuffles", c.shuffles}, {"atomics", c.atomics}, {"allocated_bytes", c.allocated_bytes}, {"copies_in", c.copies_in},
        {"copies_out", c.copies_out}, {"bytes_in", c.bytes_in}, {"bytes_out", c.bytes_out}, {"loads", c.loads},
        {"stores", c.stores}, {"load_requests", c.load_requests}, {"store_requests", c.store_requests},
        {"load_sectors", c.load_sectors}, {"store_sectors", c.store_sectors}, {"ideal_sectors", c.ideal_sectors},
        {"shared_loads", c.shared_loads}, {"shared_stores", c.shared_stores}, {"shared_requests", c.shared_requests},
        {"shared_cycles", c.shared_cycles}, {"ideal_shared_cycles", c.ideal_shared_cycles},
        {"shared_bytes", c.shared_bytes}, {"operations", c.operations},
        {"matrix_products", c.matrix_products}};
    for (auto [name, count] : all)
      fprintf(file, "%s %llu\n", name, (unsigned long long) count);
    for (const auto &[name, kernel] : kernels)
      fprintf(file, "%s.launches %llu\n%s.block_threads %llu\n", name.c_str(), (unsigned long long) kernel.launches, name.c_str(),
              (unsigned long long) kernel.block_threads);
    for (int kind = 0; kind < int(Finding::kinds); kind++)
      if (findings[kind])
        fprintf(file, "%s %llu\n", name_of(Finding(kind)), (unsigned long long) findings[kind]);
  }

  ~Report()
  {
    const char *path = getenv("EMULATION_COUNTS");
    FILE *file = path ? fopen(path, "w") : nullptr;
    if (file) {
      write(file);
      fclose(file);
    }
  }
};
inline Report report;
} // namespace emulation
