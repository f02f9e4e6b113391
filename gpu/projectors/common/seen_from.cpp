#include "gpu/projectors/common/seen_from.hpp"

#include <cmath>

namespace gantry {

namespace {

float number(double value) { return static_cast<float>(value); }

}  // namespace

device::SeenFrom seen_from(const ScanGeometry& geometry, const VolumeGrid& grid, int view) {
  const double t = geometry.angle_rad(view), c = std::cos(t), s = std::sin(t);
  const bool parallel = geometry.beam() == Beam::parallel;
  const double sid = parallel ? 0 : geometry.spec().source_to_isocenter_mm;
  const Vec3 p = grid.voxel_center_mm(0, 0, 0), d = grid.spacing_mm;
  return {number(p.x * c + p.y * s),
          number(d.x * c),
          number(d.y * s),
          number(parallel ? 1 : sid - p.x * s + p.y * c),
          number(parallel ? 0 : -d.x * s),
          number(parallel ? 0 : d.y * c)};
}

device::SeenBy seen_by(const ScanGeometry& geometry) {
  const ScanSpec& spec = geometry.spec();
  const bool parallel = spec.beam == Beam::parallel;
  return {number((parallel ? 1 : spec.source_to_detector_mm) / spec.column_pitch_mm),
          number(spec.central_column), !parallel && spec.detector == DetectorShape::arc ? 1 : 0,
          geometry.columns()};
}

}  // namespace gantry
