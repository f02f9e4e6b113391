#include "core/geometry/near_circle.hpp"

#include "core/base/error.hpp"
#include "core/base/params.hpp"
#include "core/geometry/pose_landing.hpp"

#include <algorithm>
#include <cmath>

namespace gantry {

namespace {

/// Of a source, over its distance from the axis; of a ray of a parallel beam, rad.
constexpr double most_deviation = 0.02;
constexpr double least_upright = 0.1;  // of columns across and rows along the axis, as a cosine

[[noreturn]] void refuse(int view, const std::string& what, const std::string& method) {
  throw UsageError(method + " needs views near a circle: view " + std::to_string(view) + " " + what,
                   "solver", "use an iterative solver such as sirt, os_sart or cgls");
}

/// One pose in the terms of a circle, whose columns run to the right and whose rows upwards. In
/// which order a pose counts its cells is only a matter of storage.
struct CircleView {
  double angle_rad = 0, source_mm = 0, detector_mm = 0;  ///< source to axis, source to detector
  Landing isocentre;
};

CircleView circle_view(const ScanGeometry& scan, int index, const std::string& method) {
  const View pose = scan.view(index);
  const bool parallel = scan.beam() == Beam::parallel;
  const Vec3 from = parallel ? pose.source_mm - pose.detector_mm : pose.source_mm;
  CircleView view;
  view.angle_rad = std::atan2(from.x, -from.y);
  const Vec3 right{std::cos(view.angle_rad), std::sin(view.angle_rad), 0};
  const double across = dot(normalized(pose.u_mm), right), up = normalized(pose.v_mm).z;
  if (std::min(std::abs(across), std::abs(up)) < least_upright)
    refuse(index, "has a detector on its side, whose columns run along the axis", method);
  const Landing seen_at = landing(scan, pose, {0, 0, 0});
  view.isocentre = {across > 0 ? seen_at.column : scan.columns() - 1 - seen_at.column,
                    up > 0 ? seen_at.row : scan.rows() - 1 - seen_at.row};
  if (parallel) return view;
  view.source_mm = std::hypot(from.x, from.y);
  const Vec3 seen = pose.detector_mm + (seen_at.column - scan.spec().central_column) * pose.u_mm +
                    (seen_at.row - scan.spec().central_row) * pose.v_mm;
  view.detector_mm = norm(seen - pose.source_mm);
  return view;
}

/// Notes how far a view deviates; throws where that is too far.
void compare(const ScanGeometry& poses, const ScanGeometry& circle, int index,
             const std::string& method, NearCircle& near) {
  const View pose = poses.view(index), ideal = circle.view(index);
  if (poses.beam() == Beam::parallel) {
    const Vec3 ray = pose.detector_mm - pose.source_mm;
    const double rises = std::abs(std::asin(normalized(ray).z));
    near.ray_rad = std::max(near.ray_rad, rises);
    if (rises > most_deviation)
      refuse(index,
             "runs out of the plane of rotation by " + format_param(degrees(rises)) + " degrees",
             method);
    return;
  }
  const double away = norm(pose.source_mm - ideal.source_mm);
  near.source_mm = std::max(near.source_mm, away);
  if (away > most_deviation * circle.spec().source_to_isocenter_mm)
    refuse(index, "has its source " + format_param(away) + " mm from the circle", method);
}

}  // namespace

NearCircle near_circle(const ScanGeometry& poses, const std::string& method) {
  ScanSpec circle = poses.spec();
  circle.trajectory = Trajectory::circular;
  circle.poses.clear();
  circle.view_angles_rad.clear();
  double source = 0, detector = 0, column = 0, row = 0, last = 0;
  for (int i = 0; i < poses.views(); ++i) {
    const CircleView view = circle_view(poses, i, method);
    last = i == 0 ? view.angle_rad : last + std::remainder(view.angle_rad - last, 2 * pi);
    circle.view_angles_rad.push_back(last);
    source += view.source_mm;
    detector += view.detector_mm;
    column += view.isocentre.column;
    row += view.isocentre.row;
  }
  const double views = poses.views();
  circle.source_to_isocenter_mm = source / views;
  circle.source_to_detector_mm = detector / views;
  circle.central_column = column / views;
  circle.central_row = row / views;
  NearCircle near{circle};
  const ScanGeometry ideal(circle);
  for (int i = 0; i < poses.views(); ++i) compare(poses, ideal, i, method, near);
  return near;
}

}  // namespace gantry
