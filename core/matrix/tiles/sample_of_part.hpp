#pragma once

#include <cstddef>
#include <random>

namespace gantry {

/// Returns the first item of part `i`, if `count` items are cut into `parts` equal parts.
inline std::size_t part_begin(std::size_t i, std::size_t parts, std::size_t count) {
  return count * i / parts;
}

/// Returns a pseudo-random item of part `i`, always the same for the same arguments. The samples
/// are not evenly spaced, because even steps would interfere with the periods of the items, such as
/// the number of cells of a view.
inline std::size_t sample_of_part(std::size_t i, std::size_t parts, std::size_t count,
                                  std::size_t seed) {
  const std::size_t begin = part_begin(i, parts, count), end = part_begin(i + 1, parts, count);
  std::minstd_rand random(static_cast<unsigned>(1 + seed * parts + i));
  random.discard(4);  // the first numbers of neighbouring seeds are similar
  return begin + random() % (end - begin);
}

}  // namespace gantry
