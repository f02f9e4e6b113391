// Replaces the operator new of the test program that this file is part of.
#include "tests/job/counted_heap.hpp"

#include <atomic>
#include <cstdlib>
#include <limits>
#include <malloc.h>
#include <new>

namespace {

constexpr std::size_t unlimited = std::numeric_limits<std::size_t>::max();
std::atomic<std::size_t> held{0}, peak{0}, limit{unlimited};

void* counted(void* memory) {
  if (memory == nullptr) throw std::bad_alloc();
  const std::size_t bytes = malloc_usable_size(memory), now = held += bytes;
  if (now > limit) {
    held -= bytes;
    std::free(memory);
    throw std::bad_alloc();
  }
  if (now > peak) peak = now;
  return memory;
}

}  // namespace

void* operator new(std::size_t bytes) { return counted(std::malloc(bytes)); }
void* operator new(std::size_t bytes, std::align_val_t alignment) {
  const auto step = static_cast<std::size_t>(alignment);
  return counted(std::aligned_alloc(step, (bytes + step - 1) / step * step));
}
void operator delete(void* memory) noexcept {
  if (memory != nullptr) held -= malloc_usable_size(memory);
  std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept { operator delete(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { operator delete(memory); }

namespace gantry::test {

std::size_t heap_held() { return held; }
std::size_t heap_peak() { return peak; }
void begin_heap_peak() { peak = held.load(); }

HeapLimit::HeapLimit(std::size_t more_bytes) { limit = held + more_bytes; }
HeapLimit::~HeapLimit() { limit = unlimited; }

}  // namespace gantry::test
