#include "core/io/scans/simulation_record.hpp"

#include <cmath>

namespace gantry {

namespace {

/// Returns whether the voxels of two grids coincide wherever the grids overlap.
bool shares_voxels(const VolumeGrid& a, const VolumeGrid& b) {
  const Vec3 apart = a.origin_mm - b.origin_mm, step = b.spacing_mm;
  const auto whole = [](double cells) { return std::abs(cells - std::round(cells)) < 1e-3; };
  return norm(a.spacing_mm - step) < 1e-6 * norm(step) && whole(apart.x / step.x) &&
         whole(apart.y / step.y) && whole(apart.z / step.z);
}

}  // namespace

std::string describe(const SimulationRecord& record) {
  const std::string rays = std::to_string(record.subrays);
  if (record.projector.empty())
    return "exact line integrals" + (record.subrays > 1
                                         ? ", mean of " + rays + " x " + rays + " rays a cell"
                                         : std::string());
  return "projected by " + record.projector +
         (record.subrays > 1 ? ", mean of " + rays + " rays across a cell" : std::string()) +
         ", from " + describe(record.grid);
}

bool is_inverse_crime(const SimulationRecord& record, const std::string& projector,
                      const VolumeGrid& grid) {
  return !record.projector.empty() && record.projector == projector &&
         shares_voxels(grid, record.grid);
}

}  // namespace gantry
