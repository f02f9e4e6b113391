#include "core/io/volumes/bad_voxels.hpp"

#include "core/io/files/raw_numbers.hpp"

#include <cmath>

namespace gantry {

void set_bad_voxels_to_air(LoadedVolume& volume) {
  const BadValues bad = find_bad_values(volume.mu);
  if (bad.count == 0) return;
  volume.notes.push_back(describe(bad) +
                         "; set to air, and excluded from comparisons with a reference");
  volume.unknown.resize(volume.mu.size());
  for (std::size_t i = 0; i < volume.mu.size(); ++i) {
    if (std::isfinite(volume.mu[i])) continue;
    volume.mu[i] = 0;
    volume.unknown[i] = 1;
  }
}

}  // namespace gantry
