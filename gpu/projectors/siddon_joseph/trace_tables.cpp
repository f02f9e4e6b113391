#include "gpu/projectors/siddon_joseph/trace_tables.hpp"

#include "core/geometry/cell_shadow.hpp"
#include "core/operator/projector.hpp"

#include <cmath>
#include <vector>

namespace gantry {

namespace {

device::Point point(Vec3 p) { return {p.x, p.y, p.z}; }

/// Returns the angle from each view to the next; 0 if the angles differ or the path is no circle.
double equal_turn_rad(const ScanSpec& spec) {
  const std::vector<double>& angles = spec.view_angles_rad;
  if (spec.trajectory != Trajectory::circular || angles.size() < 2) return 0;
  const double turn = angles[1] - angles[0];
  for (std::size_t v = 2; v < angles.size(); ++v)
    if (std::abs(angles[v] - angles[v - 1] - turn) > 1e-9) return 0;
  return turn;
}

}  // namespace

TraceTables::TraceTables(const ScanGeometry& geometry, const VolumeGrid& grid) {
  for (int v = 0; v < geometry.views(); ++v) {
    const View pose = geometry.view(v);
    const DetectorAxes axes(pose);
    views.push_back({point(pose.source_mm), point(pose.detector_mm), point(pose.u_mm),
                     point(pose.v_mm), point(normalized(pose.u_mm)),
                     point(normalized(pose.detector_mm - pose.source_mm)), point(axes.normal),
                     point(axes.per_column), point(axes.per_row)});
  }
  const ScanSpec& spec = geometry.spec();
  const bool parallel = spec.beam == Beam::parallel,
             arc = spec.detector == DetectorShape::arc && !parallel;
  scan = {.view = views.data(),
          .lower_mm = point(grid.lower_corner_mm()),
          .spacing_mm = point(grid.spacing_mm),
          .nx = grid.nx,
          .ny = grid.ny,
          .nz = grid.nz,
          .columns = geometry.columns(),
          .rows = geometry.rows(),
          .central_column = spec.central_column,
          .central_row = spec.central_row,
          .arc_pitch_rad = arc ? spec.column_pitch_mm / spec.source_to_detector_mm : 0,
          .arc_radius_mm = arc ? spec.source_to_detector_mm : 0,
          .parallel = parallel ? 1 : 0,
          .planar = is_planar(geometry, grid) ? 1 : 0,
          .level = spec.beam == Beam::fan ? 1 : 0,
          .first_view = 0,
          .view_stride = 1,
          .views = geometry.views(),
          .turn_rad = equal_turn_rad(spec)};
}

}  // namespace gantry
