#include "core/geometry/cell_shadow.hpp"

#include <algorithm>
#include <cmath>

namespace gantry {

namespace {

/// Cells by which the rectangle is larger than the shadow, against rounding.
constexpr double spare = 1e-6;

}  // namespace

DetectorAxes::DetectorAxes(const View& pose) : normal(cross(pose.u_mm, pose.v_mm)) {
  const Vec3 u = pose.u_mm, v = pose.v_mm;
  const double area = dot(normal, normal);
  per_column = (dot(v, v) / area) * u - (dot(u, v) / area) * v;
  per_row = (dot(u, u) / area) * v - (dot(u, v) / area) * u;
}

CellShadow::CellShadow(const ScanGeometry& geometry, int view, bool planar)
    : spec_(geometry.spec()),
      planar_(planar),
      pose_(geometry.view(view)),
      axes_(pose_),
      across_(normalized(pose_.u_mm)),
      forward_(normalized(pose_.detector_mm - pose_.source_mm)) {}

CellShadow::Point CellShadow::project_on_arc(Vec3 from_source, double distance) const {
  const double angle = std::atan2(dot(from_source, across_), dot(from_source, forward_));
  const double magnification =
      spec_.beam == Beam::cone ? spec_.source_to_detector_mm / distance : 1;
  return {spec_.central_column + angle * spec_.source_to_detector_mm / spec_.column_pitch_mm,
          spec_.central_row + magnification * from_source.z / spec_.row_pitch_mm};
}

CellShadow::Point CellShadow::project(Vec3 p) const {
  Vec3 origin = pose_.source_mm;
  if (spec_.beam == Beam::fan) origin.z = p.z;
  const Vec3 direction = spec_.beam == Beam::parallel ? forward_ : p - origin;
  const Vec3 from = spec_.beam == Beam::parallel ? p : origin;
  const double along = dot(axes_.normal, pose_.detector_mm - from) / dot(axes_.normal, direction);
  const Vec3 at = from + along * direction - pose_.detector_mm;
  return {spec_.central_column + dot(at, axes_.per_column),
          spec_.central_row + dot(at, axes_.per_row)};
}

CellRange CellShadow::of(Vec3 center, Vec3 reach) const {
  double low_column = 1e300, high_column = -1e300, low_row = 1e300, high_row = -1e300;
  const auto include = [&](Point p) {
    low_column = std::min(low_column, p.column);
    high_column = std::max(high_column, p.column);
    low_row = std::min(low_row, p.row);
    high_row = std::max(high_row, p.row);
  };
  const bool arc = spec_.detector == DetectorShape::arc;
  // The in-plane distance of the box's points from the source, for rows of an arc.
  const double reach_in_plane = std::hypot(reach.x, reach.y),
               middle = std::hypot(center.x - pose_.source_mm.x, center.y - pose_.source_mm.y);
  for (int corner = 0; corner < 8; ++corner) {
    const Vec3 p = center + Vec3{corner & 1 ? reach.x : -reach.x, corner & 2 ? reach.y : -reach.y,
                                 corner & 4 ? reach.z : -reach.z};
    if (arc) {
      include(project_on_arc(p - pose_.source_mm, std::max(middle - reach_in_plane, 1e-9)));
      include(project_on_arc(p - pose_.source_mm, middle + reach_in_plane));
    } else {
      include(project(p));
    }
  }
  const auto first = [](double low, int count) {
    return static_cast<int>(std::floor(std::clamp(low + 0.5 - spare, 0.0, 1.0 * count)));
  };
  const auto last = [](double high, int count) {
    return static_cast<int>(std::floor(std::clamp(high + 0.5 + spare, -1.0, count - 1.0)));
  };
  CellRange range{first(low_column, spec_.detector_columns),
                  last(high_column, spec_.detector_columns), 0, spec_.detector_rows - 1};
  if (!planar_) {
    range.first_row = first(low_row, spec_.detector_rows);
    range.last_row = last(high_row, spec_.detector_rows);
  }
  return range;
}

}  // namespace gantry
