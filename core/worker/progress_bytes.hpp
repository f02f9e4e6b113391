#pragma once

#include "core/job/run_progress.hpp"

#include <cstddef>

namespace gantry {

/// Returns the memory of the arrays of a run's state, bytes.
inline std::size_t bytes_of(const RunProgress& progress) {
  std::size_t bytes = 0;
  for_each_array(progress, [&](const auto& array) { bytes += array.size() * sizeof(float); });
  return bytes;
}

}  // namespace gantry
