#pragma once

#include <cstddef>

namespace gantry::test {

/// Returns how many bytes the program holds that operator new gave it. A MeasuredBackend takes its
/// arrays from there, too.
std::size_t heap_held();
/// Returns the most that was held since begin_heap_peak().
std::size_t heap_peak();
void begin_heap_peak();

/// While it lives, operator new gives no more than so many bytes beside those that are held.
class HeapLimit {
 public:
  explicit HeapLimit(std::size_t more_bytes);
  ~HeapLimit();
  HeapLimit(const HeapLimit&) = delete;
  HeapLimit& operator=(const HeapLimit&) = delete;
};

}  // namespace gantry::test
