#include "core/geometry/change_beam.hpp"

#include <algorithm>
#include <cmath>

namespace gantry {

namespace {

/// Gives the detector one row per slice of the grid, at the height of that slice, and makes the
/// trajectory circular.
void row_per_slice(ScanSpec& spec, const VolumeGrid& grid) {
  spec.trajectory = Trajectory::circular;
  spec.helical_feed_mm_per_turn = 0;
  spec.poses.clear();
  spec.detector_rows = grid.nz;
  spec.row_pitch_mm = grid.spacing_mm.z;
  spec.central_row = -grid.origin_mm.z / grid.spacing_mm.z;
}

/// Chooses the rows of a cone beam such that their beams cover the height of the grid at the point
/// of the inscribed cylinder that is nearest to the source.
void rows_of_a_cone(ScanSpec& spec, const VolumeGrid& grid) {
  constexpr double nearest = 0.1;  // part of SID: nothing nearer to the source is covered
  spec.row_pitch_mm = spec.column_pitch_mm;
  const double sid = spec.source_to_isocenter_mm,
               radius_mm = 0.5 * std::max(grid.nx * grid.spacing_mm.x, grid.ny * grid.spacing_mm.y),
               height_mm = grid.nz * grid.spacing_mm.z,
               cells = height_mm * spec.source_to_detector_mm /
                       (std::max(sid - radius_mm, nearest * sid) * spec.row_pitch_mm);
  spec.detector_rows = grid.nz == 1 ? 1 : static_cast<int>(std::ceil(cells));
  spec.central_row = 0.5 * (spec.detector_rows - 1);
}

}  // namespace

ScanSpec with_beam(ScanSpec spec, Beam beam, const VolumeGrid& grid) {
  if (beam == Beam::parallel) spec.detector = DetectorShape::flat;
  if (beam != Beam::parallel && spec.source_to_isocenter_mm <= 0) {
    spec.source_to_isocenter_mm = 4 * spec.column_pitch_mm * spec.detector_columns;
    spec.source_to_detector_mm = 1.5 * spec.source_to_isocenter_mm;
  }
  const bool was_cone = spec.beam == Beam::cone, is_cone = beam == Beam::cone;
  spec.beam = beam;
  if (was_cone && !is_cone) row_per_slice(spec, grid);
  if (!was_cone && is_cone) rows_of_a_cone(spec, grid);
  return spec;
}

}  // namespace gantry
