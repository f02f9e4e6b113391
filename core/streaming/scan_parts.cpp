// A ray sum is a sum over voxels, so that products may be computed slab by slab and added. The rows
// onto which a slab projects follow from its corners: on a flat detector the projection is the
// convex hull of the corners' projections; on an arc the height of a point at z relative to the
// source is z SDD / rho, with rho the distance from the source in the plane of rotation, whose
// extremes lie at the largest |z| and the smallest rho.
#include "core/streaming/scan_parts.hpp"

#include "core/operator/projector.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace gantry {

namespace {

constexpr int margin_voxels = 1, margin_rows = 2;

/// An interval of heights on the detector, in rows.
struct Heights {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  void take(double row) {
    low = std::min(low, row);
    high = std::max(high, row);
  }
};

/// Returns the row at which the ray through p meets the plane of the detector; nothing if p does
/// not lie ahead of the source.
std::optional<double> row_of(Vec3 p, const View& pose, const ScanSpec& spec) {
  const Vec3 normal = cross(pose.u_mm, pose.v_mm);
  const Vec3 along =
      spec.beam == Beam::parallel ? pose.detector_mm - pose.source_mm : p - pose.source_mm;
  const double climb = dot(along, normal), reach = dot(pose.detector_mm - pose.source_mm, normal);
  // p must lie ahead of the source by more than a thousandth of the distance to the detector.
  if (spec.beam != Beam::parallel && !(climb / reach > 1e-3)) return std::nullopt;
  const Vec3 hit = p + dot(pose.detector_mm - p, normal) / climb * along - pose.detector_mm;
  // hit = a u + b v; u and v need not be at right angles.
  const double uu = dot(pose.u_mm, pose.u_mm), uv = dot(pose.u_mm, pose.v_mm),
               vv = dot(pose.v_mm, pose.v_mm);
  const double b = (uu * dot(hit, pose.v_mm) - uv * dot(hit, pose.u_mm)) / (uu * vv - uv * uv);
  return spec.central_row + b;
}

/// Returns the heights of a box on a flat detector; nothing if a corner has no projection.
std::optional<Heights> on_a_plane(Vec3 low, Vec3 high, const View& pose, const ScanSpec& spec) {
  Heights heights;
  for (const double x : {low.x, high.x})
    for (const double y : {low.y, high.y})
      for (const double z : {low.z, high.z}) {
        const auto row = row_of({x, y, z}, pose, spec);
        if (!row) return std::nullopt;
        heights.take(*row);
      }
  return heights;
}

/// Returns the heights of a box on an arc; nothing if the box is too close to the source.
std::optional<Heights> on_an_arc(Vec3 low, Vec3 high, const View& pose, const ScanSpec& spec) {
  const Vec3 s = pose.source_mm;
  const double nearest = std::hypot(std::max({low.x - s.x, s.x - high.x, 0.0}),
                                    std::max({low.y - s.y, s.y - high.y, 0.0})),
               farthest = std::hypot(std::max(s.x - low.x, high.x - s.x),
                                     std::max(s.y - low.y, high.y - s.y));
  if (nearest < 1e-3 * spec.source_to_isocenter_mm) return std::nullopt;
  Heights heights;
  for (const double z : {low.z - s.z, high.z - s.z})
    for (const double rho : {nearest, farthest})
      heights.take(spec.central_row + z * spec.source_to_detector_mm / (rho * spec.row_pitch_mm));
  return heights;
}

std::optional<Heights> heights_of(const ScanGeometry& geometry, int view, const VolumeGrid& part) {
  const View pose = geometry.view(view);
  const ScanSpec& spec = geometry.spec();
  const Vec3 margin = margin_voxels * part.spacing_mm, low = part.lower_corner_mm() - margin,
             high = part.upper_corner_mm() + margin;
  if (geometry.rotates() &&
      spec.beam != Beam::cone) {  // a stack: rays keep the height of their row
    Heights heights;
    for (const double z : {low.z, high.z})
      heights.take(spec.central_row + (z - pose.detector_mm.z) / spec.row_pitch_mm);
    return heights;
  }
  return spec.detector == DetectorShape::arc ? on_an_arc(low, high, pose, spec)
                                             : on_a_plane(low, high, pose, spec);
}

}  // namespace

Range piece(int whole, int pieces, int index) {
  const auto until = [=](int i) {
    return static_cast<int>(static_cast<long long>(whole) * i / pieces);
  };
  return {until(index), until(index + 1)};
}

VolumeGrid Slabs::grid(int slab) const {
  const Range layers = piece(Slabs::layers(whole_), count_, slab);
  VolumeGrid part = whole_;
  if (whole_.nz > 1) {
    part.nz = layers.count();
    part.origin_mm.z += layers.first * whole_.spacing_mm.z;
  } else {
    part.ny = layers.count();
    part.origin_mm.y += layers.first * whole_.spacing_mm.y;
  }
  return part;
}

std::size_t Slabs::layer_voxels() const {
  return whole_.voxels() / static_cast<std::size_t>(layers(whole_));
}

std::size_t Slabs::offset(int slab) const {
  return layer_voxels() * static_cast<std::size_t>(piece(layers(whole_), count_, slab).first);
}

std::size_t Slabs::largest_voxels() const {
  return layer_voxels() * static_cast<std::size_t>((layers(whole_) + count_ - 1) / count_);
}

int Slabs::fewest_layers(const ScanGeometry& geometry, const VolumeGrid& grid) {
  return grid.nz > 1 && geometry.beam() != Beam::cone ? 2 : 1;
}

int fewest_rows(const ScanGeometry& geometry, const VolumeGrid& grid) {
  return geometry.rows() > 1 && grid.nz == 1 && geometry.beam() != Beam::cone ? 2 : 1;
}

Range rows_that_see(const ScanGeometry& geometry, int view, const VolumeGrid& part) {
  const int rows = geometry.rows();
  if (is_planar(geometry, part)) return {0, rows};
  const auto heights = heights_of(geometry, view, part);
  if (!heights) return {0, rows};
  const auto within = [=](double row) {
    return static_cast<int>(std::clamp(row, 0.0, static_cast<double>(rows)));
  };
  Range range{within(std::floor(heights->low + 0.5) - margin_rows),
              within(std::floor(heights->high + 0.5) + 1 + margin_rows)};
  const int fewest = fewest_rows(geometry, part);
  if (!range.empty() && range.count() < fewest) {
    range.first = std::min(range.first, rows - fewest);
    range.last = range.first + fewest;
  }
  return range;
}

std::shared_ptr<const ScanGeometry> part_of_scan(const ScanGeometry& geometry,
                                                 std::span<const int> views, Range rows) {
  ScanSpec spec = geometry.spec();
  spec.view_angles_rad.clear();
  spec.poses.clear();
  for (const int view : views) {
    const auto v = static_cast<std::size_t>(view);
    spec.view_angles_rad.push_back(geometry.spec().view_angles_rad[v]);
    if (!geometry.rotates()) spec.poses.push_back(geometry.spec().poses[v]);
  }
  spec.detector_rows = rows.count();
  spec.central_row -= rows.first;
  return std::make_shared<const ScanGeometry>(std::move(spec));
}

}  // namespace gantry
