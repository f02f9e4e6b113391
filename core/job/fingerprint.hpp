#pragma once

#include "core/job/experiment_data.hpp"

#include <cstdint>

namespace gantry {

/// Returns a checksum of what a run computes from: geometry, line integrals and grid. Never 0.
std::uint64_t fingerprint(const ExperimentData& data);

}  // namespace gantry
