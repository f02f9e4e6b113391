#include "core/base/large_pages.hpp"

#include <cstdint>
#include <sys/mman.h>
#include <unistd.h>

namespace gantry {

void ask_for_large_pages(void* memory, std::size_t bytes) {
  const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE)),
             address = reinterpret_cast<std::uintptr_t>(memory),
             skip = (page - address % page) % page;
  // Where the system has no large pages, small ones do.
  if (bytes > skip)
    (void)madvise(static_cast<std::byte*>(memory) + skip, bytes - skip, MADV_HUGEPAGE);
}

}  // namespace gantry
