#pragma once

#include <cstddef>
#include <random>

namespace gantry {

/// Where part `i` of `parts` parts of `count` things begins.
inline std::size_t part_begin(std::size_t i, std::size_t parts, std::size_t count) {
  return count * i / parts;
}

/// One of the things of a part, the same each time. Not at even steps: these would beat with what
/// the things stand in line by, views of so many cells.
inline std::size_t sample_of_part(std::size_t i, std::size_t parts, std::size_t count,
                                  std::size_t seed) {
  const std::size_t begin = part_begin(i, parts, count), end = part_begin(i + 1, parts, count);
  std::minstd_rand random(static_cast<unsigned>(1 + seed * parts + i));
  random.discard(4);  // neighbouring seeds begin alike
  return begin + random() % (end - begin);
}

}  // namespace gantry
