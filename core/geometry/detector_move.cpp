#include "core/geometry/detector_move.hpp"

#include <cmath>

namespace gantry {

namespace {

/// Returns a vector turned about a unit vector (Rodrigues' formula).
Vec3 turned(Vec3 vector, Vec3 axis, double angle_rad) {
  const double cosine = std::cos(angle_rad), sine = std::sin(angle_rad);
  return cosine * vector + sine * cross(axis, vector) + ((1 - cosine) * dot(axis, vector)) * axis;
}

void move_detector(View& view, const DetectorMove& move, Beam beam) {
  const Vec3 shift =
      move.lateral_mm * normalized(view.u_mm) + move.axial_mm * normalized(view.v_mm);
  view.detector_mm = view.detector_mm + shift;
  // The rays of a parallel beam run from the source to the detector, and keep their direction.
  if (beam == Beam::parallel) view.source_mm = view.source_mm + shift;
  const auto turn = [&view](Vec3 axis, double angle_rad) {
    if (angle_rad == 0) return;
    const Vec3 about = normalized(axis);
    view.u_mm = turned(view.u_mm, about, angle_rad);
    view.v_mm = turned(view.v_mm, about, angle_rad);
  };
  turn(cross(view.u_mm, view.v_mm), move.roll_rad);
  turn(view.u_mm, move.pitch_rad);
  turn(view.v_mm, move.yaw_rad);
}

}  // namespace

ScanSpec with_free_poses(const ScanSpec& scan) {
  if (scan.trajectory == Trajectory::poses) return scan;
  const ScanGeometry circle(scan);
  ScanSpec free = scan;
  free.trajectory = Trajectory::poses;
  free.poses.clear();
  for (int index = 0; index < circle.views(); ++index) free.poses.push_back(circle.view(index));
  return ScanGeometry(free).spec();  // refuses what cannot have them, and derives the other fields
}

bool can_be_tilted(const ScanSpec& scan) {
  return scan.trajectory == Trajectory::circular && scan.detector == DetectorShape::flat &&
         scan.detector_rows > 1 && scan.beam != Beam::fan;
}

ScanSpec with_moved_detector(const ScanSpec& scan, const DetectorMove& move) {
  ScanSpec moved = with_free_poses(scan);
  for (View& view : moved.poses) move_detector(view, move, scan.beam);
  return ScanGeometry(moved).spec();
}

}  // namespace gantry
