#pragma once

#include "core/data/loaded_volume.hpp"

#include <string>

namespace gantry::test {

/// Returns whether one of the volume's notes contains `part`.
inline bool has_note(const LoadedVolume& volume, const std::string& part) {
  for (const std::string& note : volume.notes)
    if (note.find(part) != std::string::npos) return true;
  return false;
}

inline double hu_at(const LoadedVolume& v, int ix, int iy, int iz) {
  return hu_from_mu(v.mu[v.grid.index(ix, iy, iz)], v.mu_water);
}

}  // namespace gantry::test
