// Memory with a shadow: for each few bytes whether they have a value, and who touched them in this launch.
//
// Two threads meet if they touch the same bytes, one of them writes, and no barrier stands between: they are threads of two blocks, or of one block
// between two barriers. Blocks and the parts of a block between barriers run one after another here, so a few numbers for each place tell
// exactly whether an access meets an earlier one: the last write, the last read, and whether others read. What is found does not depend on
// the order of threads, and there is no false finding.
#pragma once
#include "counts.h"
#include <cstring>
#include <map>
#include <vector>

namespace emulation {
// Who runs.
struct Now {
  uint32_t launch = 0, block = 0, thread = 0;
  // The number of barriers that the block has passed; the number of the block among all that have run.
  uint32_t phase = 0, serial = 0;
};
inline Now now;

constexpr uint32_t nobody = ~0u;

// What happened to a place since the launch (for shared memory: the block) began.
struct Place {
  uint32_t since = 0;
  uint32_t write_block = nobody, write_thread = 0, write_phase = 0;
  uint32_t read_block = nobody, read_thread = 0, read_phase = 0;
  bool is_read_by_blocks = false, is_read_by_threads = false;
  // Updates by one instruction do not meet each other.
  uint32_t update_block = nobody, update_thread = 0, update_phase = 0;
  bool is_updated_by_blocks = false, is_updated_by_threads = false;

  // Whether an access by the thread that runs meets an earlier write, read, or update.
  bool is_after_write() const
  {
    return write_block != nobody && (write_block != now.block || (write_phase == now.phase && write_thread != now.thread));
  }
  bool is_after_read() const
  {
    const bool is_in_phase = read_block == now.block && read_phase == now.phase;
    return read_block != nobody && (read_block != now.block || is_read_by_blocks
                                    || (is_in_phase && (read_thread != now.thread || is_read_by_threads)));
  }
  bool is_after_update() const
  {
    const bool is_in_phase = update_block == now.block && update_phase == now.phase;
    return update_block != nobody && (update_block != now.block || is_updated_by_blocks
                                      || (is_in_phase && (update_thread != now.thread || is_updated_by_threads)));
  }

  // Whether an update by the thread that runs meets an earlier access that is none.
  bool updates()
  {
    const bool meets = is_after_write() || is_after_read();
    is_updated_by_blocks |= update_block != nobody && update_block != now.block;
    const bool is_in_phase = update_block == now.block && update_phase == now.phase;
    is_updated_by_threads = is_in_phase && (is_updated_by_threads || update_thread != now.thread);
    update_block = now.block, update_thread = now.thread, update_phase = now.phase;
    return meets;
  }

  // Whether an access by the thread that runs meets an earlier one.
  bool meets(bool is_write)
  {
    const Now n = now;
    const bool after_write = is_after_write() || is_after_update(), after_read = is_after_read();
    const bool is_in_phase = read_block == n.block && read_phase == n.phase;
    if (is_write) {
      write_block = n.block, write_thread = n.thread, write_phase = n.phase;
      return after_write || after_read;
    }
    is_read_by_blocks |= read_block != nobody && read_block != n.block;
    is_read_by_threads = is_in_phase && (is_read_by_threads || read_thread != n.thread);
    read_block = n.block, read_thread = n.thread, read_phase = n.phase;
    return after_write;
  }
};

// What an access finds: there is no such place, a value that was never written, or one that was.
enum class Touched { outside, undefined, defined };

class Memory {
public:
  Memory(void *start, size_t bytes, bool is_shared) : start((char *) start), bytes(bytes), is_shared(is_shared) {}

  char *const start;
  const size_t bytes;
  const bool is_shared;

  // Notes an access, for a write of a value that was never written itself with `is_undefined`.
  Touched touch(const void *at, size_t size, bool is_write, bool is_undefined)
  {
    return touch_as(at, size, is_write, is_undefined, false);
  }

  // The same for an update by one instruction.
  Touched touch_by_instruction(const void *at, size_t size) { return touch_as(at, size, false, false, true); }

private:
  Touched touch_as(const void *at, size_t size, bool is_write, bool is_undefined, bool is_update)
  {
    const uintptr_t first = uintptr_t(at) - uintptr_t(start);
    if (first >= bytes || size > bytes - first) {
      report.find(Finding::outside, "thread %u of block %u %s byte %lld of %zu", now.thread, now.block,
                  is_write ? "writes" : "reads", (long long) first, bytes);
      return Touched::outside;
    }
    divide(size, first);
    Touched touched = Touched::defined;
    const uint32_t since = is_shared ? now.serial : now.launch;
    for (size_t i = first / unit; i < (first + size) / unit; i++) {
      Place &place = places[i];
      if (place.since != since) {
        place = Place();
        place.since = since;
        if (is_shared)
          defined[i] = false;
      }
      if (is_write)
        defined[i] = !is_undefined;
      else if (!defined[i])
        touched = Touched::undefined;
      const uint32_t writer = place.write_thread, reader = place.read_thread;
      if (is_update ? place.updates() : place.meets(is_write))
        report.find(Finding::race, "thread %u of block %u %s byte %zu of %zu%s (last written by thread %u, last read by thread %u)",
                    now.thread, now.block, is_write ? "writes" : "reads", i * unit, bytes,
                    is_shared ? " of shared memory" : "", writer, reader);
    }
    return touched;
  }

public:
  // Bytes get a value from the host.
  void define(const void *at, size_t size)
  {
    const size_t first = (const char *) at - start;
    divide(size, first);
    for (size_t i = first / unit; i < (first + size + unit - 1) / unit; i++)
      defined[i] = true;
  }

  // Whether all of some bytes have a value.
  bool is_defined(const void *at, size_t size)
  {
    const size_t first = (const char *) at - start;
    divide(size, first);
    for (size_t i = first / unit; i < (first + size + unit - 1) / unit; i++)
      if (!defined[i])
        return false;
    return true;
  }

  // What a block has in shared memory, while another one runs.
  struct Kept {
    size_t unit = 0;
    std::vector<char> values, defined;
    std::vector<Place> places;
  };

  // Shared memory becomes that of another block; what it holds is kept.
  void swap(Kept &other)
  {
    std::vector<char> values(start, start + bytes);
    if (other.values.empty())
      memset(start, 0xfb, bytes);
    else
      memcpy(start, other.values.data(), bytes);
    other.values.swap(values);
    std::swap(unit, other.unit), places.swap(other.places), defined.swap(other.defined);
  }

private:
  // The bytes of a place: a divisor of all accesses up to now.
  size_t unit = 0;
  std::vector<Place> places;
  std::vector<char> defined;

  void divide(size_t size, size_t first)
  {
    if (unit && first % unit == 0 && size % unit == 0)
      return;
    size_t finer = unit ? unit : 16;
    while (first % finer || size % finer || bytes % finer)
      finer /= 2;
    const size_t n = bytes / finer, ratio = unit ? unit / finer : 1;
    std::vector<Place> fine(n);
    std::vector<char> fine_defined(n, false);
    for (size_t i = 0; unit && i < n; i++)
      fine[i] = places[i / ratio], fine_defined[i] = defined[i / ratio];
    unit = finer, places.swap(fine), defined.swap(fine_defined);
  }
};

// The arrays in shared memory.
inline std::vector<Memory *> shared_memories;

// The allocations of the device by their first bytes.
inline std::map<const char *, Memory> allocations;

// The allocation in which a pointer lies.
inline Memory *memory_of(const void *pointer)
{
  auto after = allocations.upper_bound((const char *) pointer);
  if (after == allocations.begin())
    return nullptr;
  Memory &memory = std::prev(after)->second;
  return (const char *) pointer < memory.start + memory.bytes ? &memory : nullptr;
}
} // namespace emulation
