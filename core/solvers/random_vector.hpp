#pragma once

#include "core/backend/array.hpp"
#include "core/physics/philox.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace gantry {

/// Returns a vector of the values of(u), with u a random number in (0, 1) of its own for each
/// element, the same for each seed. All threads draw, because a volume has some hundred million
/// voxels.
template <class Of>
Array random_vector(Backend& backend, std::size_t size, std::uint64_t seed, const Of& of) {
  std::vector<float> values(size);
#pragma omp parallel for
  for (std::size_t j = 0; j < size; ++j)
    values[j] = static_cast<float>(of(RandomStream(seed, j).uniform()));
  return Array::from(backend, values);
}

}  // namespace gantry
