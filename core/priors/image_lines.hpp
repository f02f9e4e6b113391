#pragma once

#include "core/base/parallel_errors.hpp"

#include <cstddef>
#include <vector>

namespace gantry {

/// Calls body(line, scratch) in parallel for each of `count` lines of an image; `scratch` holds
/// `length` floats that belong to the calling thread, zero at its first line.
template <class Body>
void for_image_lines(std::size_t count, std::size_t length, const Body& body) {
  const auto lines = static_cast<std::ptrdiff_t>(count);
  ParallelErrors errors;
#pragma omp parallel
  {
    std::vector<float> scratch;
    errors.run([&] { scratch.resize(length); });
#pragma omp for schedule(static)
    for (std::ptrdiff_t line = 0; line < lines; ++line)
      errors.run([&] { body(static_cast<std::size_t>(line), scratch.data()); });
  }
  errors.rethrow();
}

/// Returns the sum of body(line, scratch) over all lines, added in their order: the same on any
/// number of threads.
template <class Sum, class Body>
Sum sum_image_lines(std::size_t count, std::size_t length, const Body& body) {
  std::vector<Sum> sums(count);
  for_image_lines(count, length,
                  [&](std::size_t line, float* scratch) { sums[line] = body(line, scratch); });
  Sum total{};
  for (const Sum& sum : sums) total += sum;
  return total;
}

}  // namespace gantry
