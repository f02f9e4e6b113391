#include "core/base/large_pages.hpp"

#include <algorithm>
#include <cstdint>
#include <span>
#include <sys/mman.h>
#include <unistd.h>

namespace gantry {

namespace {

/// Returns the part of memory that begins with a page.
std::span<std::byte> whole_pages(void* memory, std::size_t bytes) {
  const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE)),
             address = reinterpret_cast<std::uintptr_t>(memory),
             skip = (page - address % page) % page;
  if (bytes <= skip) return {};
  return {static_cast<std::byte*>(memory) + skip, bytes - skip};
}

}  // namespace

void ask_for_large_pages(void* memory, std::size_t bytes) {
  const auto pages = whole_pages(memory, bytes);
  // Where the system has no large pages, small ones do.
  if (!pages.empty()) (void)madvise(pages.data(), pages.size(), MADV_HUGEPAGE);
}

void make_pages(void* memory, std::size_t bytes) {
#ifdef MADV_POPULATE_WRITE
  constexpr std::size_t at_once = std::size_t{64} << 20;
  const auto pages = whole_pages(memory, bytes);
  const auto parts = static_cast<std::ptrdiff_t>((pages.size() + at_once - 1) / at_once);
#pragma omp parallel for schedule(dynamic)
  for (std::ptrdiff_t part = 0; part < parts; ++part) {
    const std::size_t first = static_cast<std::size_t>(part) * at_once;
    // Where the system refuses, the pages are made when they are written.
    (void)madvise(pages.data() + first, std::min(at_once, pages.size() - first),
                  MADV_POPULATE_WRITE);
  }
#else
  (void)memory;
  (void)bytes;
#endif
}

}  // namespace gantry
