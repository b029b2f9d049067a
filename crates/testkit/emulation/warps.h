// Which accesses of a warp are one instruction, and what it costs.
//
// The threads of a warp run one after another here. The n-th access of each of them at one place of the text since the last barrier belongs
// to one instruction: that is what a warp does whose threads go through the same loops. Global memory is fetched in sectors of 32
// bytes; shared memory has 32 banks of 4 bytes, and a cycle serves one word of each.
#pragma once
#include "memory.h"
#include <algorithm>

namespace emulation {
constexpr unsigned warp_threads = 32;
// The mask of all of them.
constexpr unsigned all_lanes = 0xffffffff;

// A place of the text that loads or stores.
struct Site {
  const void *text = nullptr;
  bool is_write = false, is_shared = false;
  // For each occurrence since the last barrier: the sectors or words that the threads up to now touch.
  std::vector<std::vector<uint64_t>> touched;
  std::vector<uint32_t> bytes;
  // How many of these were made by the running thread, and which one that is.
  uint32_t n = 0, of_run = 0;
};

class Warps {
public:
  // A thread begins to run, or goes on after a barrier.
  void start_thread() { run++; }

  void access(const void *text, const void *at, unsigned size, bool is_write, bool is_shared)
  {
    Counts &c = report.counts;
    (is_shared ? (is_write ? c.shared_stores : c.shared_loads) : (is_write ? c.stores : c.loads))++;
    Site &site = site_of(text, is_write, is_shared);
    if (site.of_run != run)
      site.of_run = run, site.n = 0;
    const uint32_t n = site.n++;
    if (n == 0)
      used.push_back(&site);
    if (n == site.touched.size())
      site.touched.emplace_back(), site.bytes.push_back(0);
    std::vector<uint64_t> &units = site.touched[n];
    site.bytes[n] += size;
    const unsigned unit = is_shared ? 4 : 32;
    for (uint64_t i = uint64_t(at) / unit; i <= (uint64_t(at) + size - 1) / unit; i++)
      if (std::find(units.rbegin(), units.rend(), i) == units.rend())
        units.push_back(i);
  }

  // All threads of the warp have come to the next barrier or to their end.
  void end_warp()
  {
    for (Site *site : used)
      for (size_t n = 0; n < site->touched.size() && site->bytes[n]; n++) {
        count(*site, site->touched[n], site->bytes[n]);
        site->touched[n].clear();
        site->bytes[n] = 0;
      }
    used.clear();
  }

private:
  uint32_t run = 0;
  std::map<std::pair<const void *, int>, Site> sites;
  std::vector<Site *> used;
  Site *recent[4096] = {};

  Site &site_of(const void *text, bool is_write, bool is_shared)
  {
    Site *&found = recent[(uintptr_t(text) ^ (is_write ? 0x555 : 0)) % 4096];
    if (!found || found->text != text || found->is_write != is_write || found->is_shared != is_shared) {
      found = &sites[{text, is_write * 2 + is_shared}];
      found->text = text, found->is_write = is_write, found->is_shared = is_shared;
    }
    return *found;
  }

  static void count(const Site &site, const std::vector<uint64_t> &units, uint32_t bytes)
  {
    Counts &c = report.counts;
    if (!site.is_shared) {
      (site.is_write ? c.store_requests : c.load_requests)++;
      (site.is_write ? c.store_sectors : c.load_sectors) += units.size();
      // Threads may touch the same element: no more sectors are needed than there are.
      c.ideal_sectors += std::min<uint64_t>((bytes + 31) / 32, units.size());
      return;
    }
    unsigned of_bank[32] = {}, most = 0;
    for (uint64_t unit : units)
      most = std::max(most, ++of_bank[unit % 32]);
    c.shared_requests++;
    c.shared_cycles += most;
    c.ideal_shared_cycles += (units.size() + 31) / 32;
  }
};
inline Warps warps;
} // namespace emulation
