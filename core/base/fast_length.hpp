#pragma once

#include <cstddef>

namespace gantry {

/// Whether a number has no other prime factors than 2, 3 and 5, so that a Fourier transform of that
/// length is fast. `length` is at least 1.
constexpr bool is_fast_length(std::size_t length) {
  for (const std::size_t factor : {2, 3, 5})
    while (length % factor == 0) length /= factor;
  return length == 1;
}

/// Returns the smallest such number from `least` on, which is at least 1.
constexpr std::size_t fast_length_from(std::size_t least) {
  while (!is_fast_length(least)) ++least;
  return least;
}

/// Returns the largest such number up to `most`, which is at least 1.
constexpr std::size_t fast_length_to(std::size_t most) {
  while (!is_fast_length(most)) --most;
  return most;
}

}  // namespace gantry
