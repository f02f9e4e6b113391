#include "core/geometry/shifted_circle.hpp"

#include "core/geometry/pose_landing.hpp"

#include <algorithm>
#include <cmath>

namespace gantry {

namespace {

constexpr double tolerance = 1e-6;
constexpr double most_deviation = 0.02;  // of a source, over its distance from the axis

bool is_near(double a, double b) {
  return std::abs(a - b) <= tolerance * std::max(std::abs(a), std::abs(b));
}

/// One pose in the terms of a circle.
struct CircleView {
  double angle_rad = 0, source_mm = 0, detector_mm = 0;  ///< source to axis, source to detector
  double aside_mm = 0;  ///< of the source, from the plane of axis and beam or that of rotation
  double u_mm = 0, v_mm = 0;  ///< pitches
};

/// Returns nothing where a detector is turned otherwise than on a circle.
std::optional<CircleView> circle_view(const View& pose, bool is_parallel) {
  CircleView view;
  view.u_mm = norm(pose.u_mm);
  view.v_mm = norm(pose.v_mm);
  const Vec3 u = normalized(pose.u_mm), v = normalized(pose.v_mm),
             forward = normalized(cross({0, 0, 1}, u));
  if (std::hypot(v.x, v.y) > tolerance || v.z < 0 || std::abs(u.z) > tolerance) return std::nullopt;
  view.angle_rad = std::atan2(u.y, u.x);
  if (is_parallel) {
    const Vec3 ray = normalized(pose.detector_mm - pose.source_mm);
    return norm(ray - forward) <= tolerance ? std::optional(view) : std::nullopt;
  }
  view.source_mm = -dot(pose.source_mm, forward);
  view.detector_mm = dot(pose.detector_mm - pose.source_mm, forward);
  view.aside_mm = std::max(std::abs(dot(pose.source_mm, u)), std::abs(pose.source_mm.z));
  return view.source_mm > 0 && view.detector_mm > view.source_mm ? std::optional(view)
                                                                 : std::nullopt;
}

void mirror(ScanSpec& poses, double Vec3::*component) {
  for (View& pose : poses.poses)
    for (Vec3* one : {&pose.source_mm, &pose.detector_mm, &pose.u_mm, &pose.v_mm})
      one->*component = -(one->*component);
}

/// Returns the scan as it is or mirrored, so that the rows of the first view run upwards and its
/// columns to the right.
ScanSpec with_usual_order(ScanSpec poses) {
  const View& first = poses.poses.front();
  const Vec3 right = cross(first.detector_mm - first.source_mm, {0, 0, 1});
  const bool runs_left = dot(first.u_mm, right) < 0;
  if (first.v_mm.z < 0) mirror(poses, &Vec3::z);
  if (runs_left) mirror(poses, &Vec3::x);
  return poses;
}

}  // namespace

std::optional<ShiftedCircle> shifted_circle(const ScanSpec& stored) {
  if (stored.trajectory != Trajectory::poses || stored.poses.empty()) return std::nullopt;
  const ScanSpec poses = with_usual_order(stored);
  const bool is_parallel = poses.beam == Beam::parallel;
  ShiftedCircle found{poses, {}};
  ScanSpec& circle = found.circle;
  circle.trajectory = Trajectory::circular;
  circle.poses.clear();
  circle.view_angles_rad.clear();
  std::vector<CircleView> views;
  double source_mm = 0, last = 0;
  for (const View& pose : poses.poses) {
    const auto view = circle_view(pose, is_parallel);
    if (!view) return std::nullopt;
    views.push_back(*view);
    last =
        views.size() == 1 ? view->angle_rad : last + std::remainder(view->angle_rad - last, 2 * pi);
    circle.view_angles_rad.push_back(last);
    source_mm += view->source_mm / static_cast<double>(poses.poses.size());
  }
  const CircleView& first = views.front();
  for (const CircleView& view : views)
    if (!is_near(view.detector_mm, first.detector_mm) || !is_near(view.u_mm, first.u_mm) ||
        !is_near(view.v_mm, first.v_mm) ||
        std::max(view.aside_mm, std::abs(view.source_mm - source_mm)) > most_deviation * source_mm)
      return std::nullopt;
  circle.source_to_isocenter_mm = source_mm;
  circle.source_to_detector_mm = first.detector_mm;
  circle.column_pitch_mm = first.u_mm;
  circle.row_pitch_mm = first.v_mm;
  const ScanGeometry geometry(poses);
  std::vector<Landing> seen;
  circle.central_column = circle.central_row = 0;
  for (const View& pose : poses.poses) {
    seen.push_back(landing(geometry, pose, {0, 0, 0}));
    circle.central_column += seen.back().column / static_cast<double>(views.size());
    circle.central_row += seen.back().row / static_cast<double>(views.size());
  }
  for (const Landing& one : seen)
    found.shifts.push_back({circle.central_column - one.column, circle.central_row - one.row});
  return found;
}

}  // namespace gantry
