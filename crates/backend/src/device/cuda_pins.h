/* Pages of the program's arrays stay in memory while the device copies them; where that cannot be, copies work all the same. Calls of
   several threads take turns, as pages may hold arrays of both. */
#include <mutex>
#include <unistd.h>
#include <vector>

struct lw_pages {
  size_t first, end;
  bool is_pinned;
};
static std::mutex lw_pinning;
static std::vector<lw_pages> lw_pinned;

/* Arrays that share pages, or whose pages lie side by side, are one. */
static void lw_pin(const void *array, size_t bytes)
{
  const size_t page = sysconf(_SC_PAGESIZE), first = (size_t) array;
  lw_pages own = {first / page * page, (first + bytes + page - 1) / page * page, false};
  for (size_t i = 0; i < lw_pinned.size();) {
    const lw_pages other = lw_pinned[i];
    if (other.end < own.first || own.end < other.first) {
      i++;
      continue;
    }
    own.first = other.first < own.first ? other.first : own.first;
    own.end = other.end > own.end ? other.end : own.end;
    lw_pinned[i] = lw_pinned.back();
    lw_pinned.pop_back();
    i = 0;
  }
  lw_pinned.push_back(own);
}

static void lw_pin_all(void)
{
  for (lw_pages &own : lw_pinned) {
    own.is_pinned = cudaHostRegister((void *) own.first, own.end - own.first, cudaHostRegisterDefault) == cudaSuccess;
    if (!own.is_pinned)
      (void) cudaGetLastError();
  }
}

static void lw_unpin(void)
{
  for (const lw_pages &own : lw_pinned)
    if (own.is_pinned)
      (void) cudaHostUnregister((void *) own.first);
  lw_pinned.clear();
  lw_pinning.unlock();
}

