#pragma once

#include "core/base/region_errors.hpp"

#include <cstddef>
#include <vector>

namespace gantry {

/// body(row, scratch of `length` floats of the thread's own) for every row of an image.
template <class Body>
void for_rows(std::size_t count, std::size_t length, const Body& body) {
  const auto rows = static_cast<std::ptrdiff_t>(count);
  RegionErrors errors;
#pragma omp parallel
  {
    std::vector<float> scratch;
    errors.run([&] { scratch.resize(length); });
#pragma omp for schedule(static)
    for (std::ptrdiff_t row = 0; row < rows; ++row)
      errors.run([&] { body(static_cast<std::size_t>(row), scratch.data()); });
  }
  errors.rethrow();
}

/// The sum of body(row, scratch), added in order: the same on any number of threads.
template <class Sum, class Body>
Sum sum_rows(std::size_t count, std::size_t length, const Body& body) {
  std::vector<Sum> sums(count);
  for_rows(count, length, [&](std::size_t row, float* scratch) { sums[row] = body(row, scratch); });
  Sum total{};
  for (const Sum& sum : sums) total += sum;
  return total;
}

}  // namespace gantry
