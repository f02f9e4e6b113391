#include "core/geometry/object_move.hpp"

#include "core/base/error.hpp"
#include "core/geometry/detector_move.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

namespace gantry {

namespace {

/// The directions of a view: along the columns, along the beam and along the axis.
struct Directions {
  Vec3 across, along, up;

  explicit Directions(double angle_rad)
      : across{std::cos(angle_rad), std::sin(angle_rad), 0},
        along{-std::sin(angle_rad), std::cos(angle_rad), 0},
        up{0, 0, 1} {}
  Vec3 of(Vec3 components) const {
    return components.x * across + components.y * along + components.z * up;
  }
  Vec3 components(Vec3 vector) const {
    return {dot(vector, across), dot(vector, along), dot(vector, up)};
  }
};

/// Returns a vector of the room (x along the columns, y along the beam) in coordinates whose z
/// axis is the leaning one: the inverse of what leads the z axis to it.
Vec3 beside_axis(Vec3 v, const AxisLean& lean) {
  const double ct = std::cos(lean.tilt_rad), st = std::sin(lean.tilt_rad),
               cr = std::cos(lean.roll_rad), sr = std::sin(lean.roll_rad);
  const Vec3 untilted{v.x, ct * v.y - st * v.z, st * v.y + ct * v.z};
  return {cr * untilted.x - sr * untilted.z, untilted.y, sr * untilted.x + cr * untilted.z};
}

/// Returns the feed of the helix that source and detector describe about an object that rises
/// evenly; nothing where it moves otherwise by more than a hundredth of a cell, or has no cone.
std::optional<double> helical_feed_mm(const ScanSpec& scan, std::span<const Vec3> moves_mm) {
  if (scan.beam != Beam::cone || scan.trajectory != Trajectory::circular) return std::nullopt;
  const auto count = static_cast<double>(moves_mm.size());
  const auto angle = [&](std::size_t i) { return scan.view_angles_rad[i]; };
  double mean_angle = 0, mean_height = 0;
  for (std::size_t i = 0; i < moves_mm.size(); ++i) {
    mean_angle += angle(i) / count;
    mean_height += moves_mm[i].z / count;
  }
  double product = 0, square = 0;
  for (std::size_t i = 0; i < moves_mm.size(); ++i) {
    product += (angle(i) - mean_angle) * (moves_mm[i].z - mean_height);
    square += (angle(i) - mean_angle) * (angle(i) - mean_angle);
  }
  if (!(square > 0)) return std::nullopt;
  const double slope = product / square,
               cell_mm = std::min(scan.column_pitch_mm, scan.row_pitch_mm) *
                         scan.source_to_isocenter_mm / scan.source_to_detector_mm;
  for (std::size_t i = 0; i < moves_mm.size(); ++i) {
    const Vec3& move = moves_mm[i];
    const double off = move.z - mean_height - slope * (angle(i) - mean_angle);
    if (std::max({std::abs(move.x), std::abs(move.y), std::abs(off)}) > 0.01 * cell_mm)
      return std::nullopt;
  }
  return -2 * pi * slope;  // the source sinks as the object rises
}

/// Returns the same scan as free poses; a fan, which has none, as a cone of one row.
ScanSpec free_poses_of(ScanSpec scan) {
  if (scan.beam == Beam::fan) scan.beam = Beam::cone;
  return with_free_poses(std::move(scan));
}

}  // namespace

ScanSpec with_leaning_axis(const ScanSpec& circle, const AxisLean& lean) {
  ScanSpec leaning = free_poses_of(circle);
  for (std::size_t i = 0; i < leaning.poses.size(); ++i) {
    const Directions view(circle.view_angles_rad[i]);
    const auto lean_back = [&](Vec3& vector) {
      vector = view.of(beside_axis(view.components(vector), lean));
    };
    View& pose = leaning.poses[i];
    for (Vec3* vector : {&pose.source_mm, &pose.detector_mm, &pose.u_mm, &pose.v_mm})
      lean_back(*vector);
  }
  return ScanGeometry(std::move(leaning)).spec();
}

ScanSpec with_moved_object(const ScanSpec& scan, std::span<const Vec3> moves_mm) {
  if (moves_mm.size() != scan.view_angles_rad.size())
    throw ShapeError("there are not as many moves of the object as views");
  if (const auto feed_mm = helical_feed_mm(scan, moves_mm)) {
    ScanSpec helix = scan;
    helix.trajectory = Trajectory::helical;
    helix.helical_feed_mm_per_turn = *feed_mm;
    return ScanGeometry(std::move(helix)).spec();
  }
  const std::vector<double> angles_rad = scan.view_angles_rad;
  ScanSpec moved = free_poses_of(scan);
  for (std::size_t i = 0; i < moves_mm.size(); ++i) {
    const Vec3 move = Directions(angles_rad[i]).of(moves_mm[i]);
    View& pose = moved.poses[i];
    pose.source_mm = pose.source_mm - move;
    pose.detector_mm = pose.detector_mm - move;
  }
  return ScanGeometry(std::move(moved)).spec();
}

}  // namespace gantry
