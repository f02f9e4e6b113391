#include "core/geometry/detector_move.hpp"

#include "core/base/error.hpp"

#include <cmath>
#include <utility>

namespace gantry {

namespace {

/// Returns a vector turned about a unit vector (Rodrigues' formula).
Vec3 turned(Vec3 vector, Vec3 axis, double angle_rad) {
  const double cosine = std::cos(angle_rad), sine = std::sin(angle_rad);
  return cosine * vector + sine * cross(axis, vector) + ((1 - cosine) * dot(axis, vector)) * axis;
}

void shift_detector(View& view, Vec3 shift, Beam beam) {
  view.detector_mm = view.detector_mm + shift;
  // The rays of a parallel beam run from the source to the detector, and keep their direction.
  if (beam == Beam::parallel) view.source_mm = view.source_mm + shift;
}

void move_detector(View& view, const DetectorMove& move, Beam beam) {
  shift_detector(
      view, move.lateral_mm * normalized(view.u_mm) + move.axial_mm * normalized(view.v_mm), beam);
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

ScanSpec with_shifted_detector(ScanSpec scan, std::span<const CellShift> shifts) {
  if (scan.beam == Beam::fan) scan.beam = Beam::cone;  // fans have no free poses
  ScanSpec shifted = with_free_poses(scan);
  if (shifts.size() != shifted.poses.size())
    throw ShapeError("there are not as many shifts of the detector as views");
  for (std::size_t i = 0; i < shifts.size(); ++i) {
    View& view = shifted.poses[i];
    shift_detector(view, shifts[i].columns * view.u_mm + shifts[i].rows * view.v_mm, scan.beam);
  }
  return ScanGeometry(std::move(shifted)).spec();
}

}  // namespace gantry
