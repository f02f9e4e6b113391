#include "core/geometry/poses.hpp"

#include "core/base/error.hpp"
#include "core/geometry/scan_coverage.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace gantry {

namespace {

constexpr double shortest_mm = 1e-6, longest_mm = 1e9;  // limits as for circular scans
constexpr double flattest = 1e-4;  // smallest sine: u to v, central ray to detector plane

// ---- Validation

[[noreturn]] void refuse(std::size_t i, const std::string& what, const std::string& where,
                         const std::string& remedy) {
  throw InputError("poses[" + std::to_string(i) + "]" + what, where, remedy);
}

void validate_pose(const View& pose, std::size_t i, const std::string& where) {
  const std::array<std::pair<const char*, const Vec3*>, 4> vectors = {
      {{"source_mm", &pose.source_mm},
       {"detector_mm", &pose.detector_mm},
       {"u_mm", &pose.u_mm},
       {"v_mm", &pose.v_mm}}};
  for (const auto& [name, vector] : vectors)
    for (const double value : {vector->x, vector->y, vector->z})
      if (!(std::abs(value) <= longest_mm))
        refuse(i, std::string(".") + name + " is not finite or beyond 1e9 mm", where, "correct it");
  for (const auto& [name, vector] : {vectors[2], vectors[3]})
    if (norm(*vector) < shortest_mm)
      refuse(i, std::string(".") + name + " is no step from cell to cell", where,
             "give the way to the next column or row in mm, 1e-6 at least");
  const Vec3 normal = cross(normalized(pose.u_mm), normalized(pose.v_mm));
  if (norm(normal) < flattest)
    refuse(i, ": u_mm and v_mm are parallel", where, "columns and rows must span a plane");
  const Vec3 reach = pose.detector_mm - pose.source_mm;
  const double depth_mm = std::abs(dot(reach, normalized(normal)));
  if (depth_mm < shortest_mm || depth_mm < flattest * norm(reach))
    refuse(i, ": the source stands in the plane of the detector", where,
           "correct source_mm or detector_mm");
}

// ---- The region that a view sees

/// The plane through the source that contains an edge of the detector (in a parallel beam: the
/// plane of the rays that land on the edge). inside() is the distance of p from the plane, mm,
/// positive towards the detector's middle.
struct EdgePlane {
  Vec3 normal, point;
  double inside(Vec3 p) const { return dot(normal, p - point); }
};

/// The region about the axis that one free pose sees.
class PoseView {
 public:
  PoseView(const ScanGeometry& geometry, int view)
      : rays_(geometry, view), pose_(geometry.view(view)) {
    const double c = 0.5 * (geometry.columns() - 1), r = 0.5 * (geometry.rows() - 1),
                 half_c = 0.5 * geometry.columns(), half_r = 0.5 * geometry.rows();
    middle_ = rays_.ray(c, r);
    middle_mm_ = rays_.detector_point_mm(c, r);
    across_ = {edge(c - half_c, r, pose_.v_mm), edge(c + half_c, r, pose_.v_mm)};
    along_ = {edge(c, r - half_r, pose_.u_mm), edge(c, r + half_r, pose_.u_mm)};
    // The edges in across_ bound the field of view about the axis, those in along_ the range along
    // z. If the detector lies on its side, the planes of its first and last row are the ones that
    // bound the field of view.
    const auto lean = [](const auto& planes) {
      return std::abs(planes[0].normal.z) + std::abs(planes[1].normal.z);
    };
    if (lean(along_) < lean(across_)) std::swap(across_, along_);
  }

  /// Returns the point of the axis that is nearest to the ray through the detector's middle.
  Vec3 aim_mm() const {
    const Vec3 o = middle_.origin_mm, d = middle_.direction;
    const double flat = d.x * d.x + d.y * d.y;
    if (flat < 1e-12) return {};  // the ray runs along the axis
    return {0, 0, o.z - (o.x * d.x + o.y * d.y) / flat * d.z};
  }

  /// Returns, for each plane of across_, the radius, mm, of the largest disc about the axis at the
  /// height of aim_mm() that lies inside this plane; negative if the axis lies outside.
  std::array<double, 2> radii_mm() const {
    const Vec3 aim = aim_mm();
    const auto radius = [&](const EdgePlane& plane) {
      return plane.inside(aim) / std::hypot(plane.normal.x, plane.normal.y);
    };
    return {radius(across_[0]), radius(across_[1])};
  }

  /// Computes the heights at which the planes of along_ cut the axis. Returns false if a plane is
  /// parallel to the axis.
  bool axial_range(AxialRange& range) const {
    if (std::min(std::abs(along_[0].normal.z), std::abs(along_[1].normal.z)) < 1e-9) return false;
    const double a = dot(along_[0].normal, along_[0].point) / along_[0].normal.z,
                 b = dot(along_[1].normal, along_[1].point) / along_[1].normal.z;
    range = {std::min(a, b), std::max(a, b)};
    return true;
  }

 private:
  /// `direction`: of the edge through the point (column, row) of the detector.
  EdgePlane edge(double column, double row, Vec3 direction) const {
    const Vec3 point = rays_.detector_point_mm(column, row);
    const Vec3 normal = normalized(cross(direction, rays_.ray(column, row).direction));
    return {dot(normal, middle_mm_ - point) < 0 ? -1.0 * normal : normal, point};
  }

  ViewRays rays_;
  View pose_;
  Ray middle_;
  Vec3 middle_mm_;
  std::array<EdgePlane, 2> across_, along_;
};

}  // namespace

void validate_poses(const ScanSpec& spec, const std::string& where) {
  if (spec.beam == Beam::fan)
    throw InputError("a fan beam has no free poses", where,
                     "set \"beam\" to \"cone\", with one row if there is one");
  if (spec.detector != DetectorShape::flat)
    throw InputError("an arc detector has no free poses", where, "set \"detector\" to \"flat\"");
  if (spec.poses.empty()) throw InputError("the scan has no views", where, "give poses");
  for (std::size_t i = 0; i < spec.poses.size(); ++i) validate_pose(spec.poses[i], i, where);
}

void derive_from_poses(ScanSpec& spec) {
  const auto views = static_cast<double>(spec.poses.size());
  spec.view_angles_rad.clear();
  double u = 0, v = 0, to_axis = 0, to_detector = 0, last = 0;
  for (const View& pose : spec.poses) {
    const Vec3 back = pose.source_mm - pose.detector_mm;
    const double angle = back.x == 0 && back.y == 0 ? last : std::atan2(back.x, -back.y);
    // The first angle lies between 0 and 360 degrees, each further one within 180 degrees of its
    // predecessor.
    last = spec.view_angles_rad.empty() ? (angle < -1e-9 ? angle + 2 * pi : angle)
                                        : last + std::remainder(angle - last, 2 * pi);
    spec.view_angles_rad.push_back(last);
    u += norm(pose.u_mm) / views;
    v += norm(pose.v_mm) / views;
    to_axis += std::hypot(pose.source_mm.x, pose.source_mm.y) / views;
    to_detector += norm(back) / views;
  }
  const bool parallel = spec.beam == Beam::parallel;
  spec.column_pitch_mm = u;
  spec.row_pitch_mm = v;
  spec.source_to_isocenter_mm = parallel ? 0 : to_axis;
  spec.source_to_detector_mm = parallel ? 0 : to_detector;
  spec.helical_feed_mm_per_turn = 0;
}

double poses_field_of_view_radius_mm(const ScanGeometry& geometry) {
  constexpr double infinite = std::numeric_limits<double>::infinity();
  std::array<double, 2> sides = {infinite, infinite};
  for (int v = 0; v < geometry.views(); ++v) {
    const std::array<double, 2> radii = PoseView(geometry, v).radii_mm();
    for (std::size_t side = 0; side < 2; ++side) sides[side] = std::min(sides[side], radii[side]);
  }
  const auto [narrow, wide] = std::minmax(sides[0], sides[1]);
  const double radius = narrow > 0 && covers_full_turn(geometry) ? wide : narrow;
  return std::isfinite(radius) ? std::max(0.0, radius) : 0;
}

AxialRange poses_axial_range_mm(const ScanGeometry& geometry) {
  AxialRange all{std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
  for (int v = 0; v < geometry.views(); ++v) {
    AxialRange range;
    if (!PoseView(geometry, v).axial_range(range)) continue;
    all = {std::min(all.low, range.low), std::max(all.high, range.high)};
  }
  if (all.low <= all.high) return all;
  const double half = 0.5 * geometry.rows() * geometry.row_pitch_at_isocenter_mm();
  return {-half, half};
}

}  // namespace gantry
