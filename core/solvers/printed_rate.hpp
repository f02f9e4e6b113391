#pragma once

#include "core/base/params.hpp"
#include "core/geometry/volume_grid.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace gantry {

/// The falling learning rate of Li et al. (cuMBIR, Proc. ICS 2018, equation 4), with x and A in
/// units of a voxel: gamma_0 = first, gamma_t+1 = gamma_t / (1 + decay gamma_t), which is 1 /
/// gamma_t = 1 / first + decay t.
struct PrintedRate {
  double first = 1e-3, decay = 500;

  /// Returns gamma_t of iteration t, 1/mm^2.
  double at(std::int64_t iteration, const VolumeGrid& grid) const {
    const double voxel_mm = std::min(grid.spacing_mm.x, grid.spacing_mm.y);
    return 1 / ((1 / first + decay * static_cast<double>(iteration)) * voxel_mm * voxel_mm);
  }
};

/// The parameters "rate" and "decay".
std::vector<ParamSpec> printed_rate_params();
PrintedRate printed_rate(const Params& params);

}  // namespace gantry
