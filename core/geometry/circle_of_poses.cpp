#include "core/geometry/circle_of_poses.hpp"

#include "core/base/nice_numbers.hpp"

#include <algorithm>
#include <cmath>

namespace gantry {

namespace {

constexpr int digits = 12;  // of the numbers of a circle

/// One pose in the terms of a circle.
struct CircleView {
  double angle_rad = 0, source_mm = 0, detector_mm = 0;  ///< source to axis, source to detector
  double u_mm = 0, v_mm = 0, column = 0, row = 0;        ///< pitches; where the central ray lands
};

/// Returns nothing unless rows rise along z, columns grow to the right as seen from the source, and
/// source and axis lie in a plane at right angles to the columns, the source at z = 0.
std::optional<CircleView> circle_view(const ScanSpec& spec, const View& pose, double tolerance) {
  const Vec3 u = normalized(pose.u_mm), v = normalized(pose.v_mm);
  if (std::hypot(v.x, v.y) > tolerance || v.z < 0 || std::abs(u.z) > tolerance) return std::nullopt;
  const Vec3 forward = cross({0, 0, 1}, u);
  CircleView view;
  view.angle_rad = std::atan2(u.y, u.x);
  view.u_mm = norm(pose.u_mm);
  view.v_mm = norm(pose.v_mm);
  view.source_mm = -dot(pose.source_mm, forward);
  view.detector_mm = dot(pose.detector_mm - pose.source_mm, forward);
  view.column = spec.central_column - dot(pose.detector_mm, u) / view.u_mm;
  view.row = spec.central_row - pose.detector_mm.z / view.v_mm;
  if (spec.beam == Beam::parallel) {  // the rays run forward, wherever they begin
    const Vec3 ray = normalized(pose.detector_mm - pose.source_mm);
    view.source_mm = view.detector_mm = 0;
    return norm(ray - forward) <= tolerance ? std::optional(view) : std::nullopt;
  }
  const double slack_mm = tolerance * norm(pose.source_mm);
  const bool is_circle = view.source_mm > 0 && view.detector_mm > view.source_mm &&
                         std::abs(dot(pose.source_mm, u)) <= slack_mm &&
                         std::abs(pose.source_mm.z) <= slack_mm;
  return is_circle ? std::optional(view) : std::nullopt;
}

bool is_near(double a, double b, double tolerance) {
  return std::abs(a - b) <= tolerance * std::max({1.0, std::abs(a), std::abs(b)});
}

}  // namespace

std::optional<ScanSpec> circle_of_poses(const ScanSpec& poses, double tolerance) {
  ScanSpec circle = poses;
  circle.trajectory = Trajectory::circular;
  circle.poses.clear();
  circle.view_angles_rad.clear();
  std::optional<CircleView> first;
  double last = 0;
  for (const View& pose : poses.poses) {
    const std::optional<CircleView> view = circle_view(poses, pose, tolerance);
    if (!view) return std::nullopt;
    if (!first) first = view;
    if (!is_near(view->source_mm, first->source_mm, tolerance) ||
        !is_near(view->detector_mm, first->detector_mm, tolerance) ||
        !is_near(view->u_mm, first->u_mm, tolerance) ||
        !is_near(view->v_mm, first->v_mm, tolerance) ||
        !is_near(view->column, first->column, tolerance) ||
        !is_near(view->row, first->row, tolerance))
      return std::nullopt;
    // The first angle lies between 0 and 360 degrees, each further one near its predecessor.
    last = circle.view_angles_rad.empty()
               ? (view->angle_rad < -1e-9 ? view->angle_rad + 2 * pi : view->angle_rad)
               : last + std::remainder(view->angle_rad - last, 2 * pi);
    circle.view_angles_rad.push_back(radians(std::round(degrees(last) * 1e10) / 1e10));
  }
  if (!first) return std::nullopt;
  circle.source_to_isocenter_mm = to_digits(first->source_mm, digits);
  circle.source_to_detector_mm = to_digits(first->detector_mm, digits);
  circle.column_pitch_mm = to_digits(first->u_mm, digits);
  circle.row_pitch_mm = to_digits(first->v_mm, digits);
  circle.central_column = to_digits(first->column, digits);
  circle.central_row = to_digits(first->row, digits);
  return circle;
}

}  // namespace gantry
