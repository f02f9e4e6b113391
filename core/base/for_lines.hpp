#pragma once

#include "core/base/interrupt.hpp"
#include "core/base/parallel_errors.hpp"

#include <algorithm>
#include <cstddef>

namespace gantry {

/// Runs body(line) for line = 0 .. count - 1 in parallel (OpenMP). `interrupt`, which may be null,
/// is checked after every `block` lines, which should take some tenths of a second at most. Throws
/// Interrupted, or the first exception of body; the remaining lines are then not computed.
template <class Body>
void for_lines(std::ptrdiff_t count, const Interrupt* interrupt, const Body& body,
               std::ptrdiff_t block = 64) {
  for (std::ptrdiff_t first = 0; first < count; first += block) {
    if (interrupt != nullptr) interrupt->check();
    ParallelErrors errors;
#pragma omp parallel for schedule(dynamic)
    for (std::ptrdiff_t line = first; line < std::min(count, first + block); ++line)
      errors.run([&] {
        if (interrupt == nullptr || !interrupt->raised()) body(line);
      });
    errors.rethrow();
  }
  if (interrupt != nullptr) interrupt->check();
}

}  // namespace gantry
