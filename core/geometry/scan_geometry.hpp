#pragma once

#include "core/base/vec3.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace gantry {

enum class Beam { parallel, fan, cone };
enum class DetectorShape { flat, arc };
enum class Trajectory { circular, helical, poses };

/// One pose of source and detector. u_mm and v_mm are the steps to the next column and row;
/// detector_mm is the point of the detector at (central_column, central_row): on a circle or helix,
/// where the ray through the axis lands at right angles to it.
struct View {
  Vec3 source_mm, detector_mm, u_mm, v_mm;

  friend bool operator==(const View&, const View&) = default;
};

/// A ray of unit direction, from the source side to the detector.
struct Ray {
  Vec3 origin_mm, direction;
};

/// The numbers that describe a scan, as in a scan file. Angles are in radians here.
///
/// World: right-handed, millimetres, rotation axis z. At gantry angle t (counter-clockwise seen
/// from +z) the source stands at SID (sin t, -cos t, 0), the detector's centre at
/// -(SDD - SID) (sin t, -cos t, 0); columns grow along (cos t, sin t, 0), rows along z.
/// Cells of an arc detector lie at equal angles about the source; their pitch is arc length at SDD.
///
/// Trajectory::poses: each view stands where `poses` says, with a flat detector that may point
/// anywhere. A parallel beam runs along source to detector. Angles, distances and pitches then
/// follow from the poses (see poses.hpp): what is given for them is replaced.
struct ScanSpec {
  Beam beam = Beam::fan;
  DetectorShape detector = DetectorShape::flat;
  Trajectory trajectory = Trajectory::circular;
  double source_to_isocenter_mm = 0;  ///< SID; not used by a parallel beam
  double source_to_detector_mm = 0;   ///< SDD; not used by a parallel beam
  int detector_columns = 0, detector_rows = 1;
  double column_pitch_mm = 0, row_pitch_mm = 0;
  double central_column = 0,
         central_row = 0;  ///< fractional index hit by the ray through the isocentre
  std::vector<double> view_angles_rad;
  double helical_feed_mm_per_turn = 0;
  std::vector<View> poses;  ///< for Trajectory::poses

  friend bool operator==(const ScanSpec&, const ScanSpec&) = default;
};

/// Heights along z, mm.
struct AxialRange {
  double low = 0, high = 0;
};

/// A validated, immutable scan. In a parallel or fan beam, rows are a stack of in-plane fans at
/// heights (row - central_row) * row_pitch; only a cone beam diverges along z.
class ScanGeometry {
 public:
  /// Throws InputError naming the field; `where` is the file or form it came from.
  explicit ScanGeometry(ScanSpec spec, const std::string& where = "geometry");

  const ScanSpec& spec() const { return spec_; }
  Beam beam() const { return spec_.beam; }
  /// On a circle or helix about the axis, as many methods need it; false for free poses.
  bool turns() const { return spec_.trajectory != Trajectory::poses; }
  int views() const { return static_cast<int>(spec_.view_angles_rad.size()); }
  int columns() const { return spec_.detector_columns; }
  int rows() const { return spec_.detector_rows; }
  std::size_t cells() const {
    return static_cast<std::size_t>(columns()) * static_cast<std::size_t>(rows());
  }
  std::size_t rays() const { return cells() * static_cast<std::size_t>(views()); }
  /// Of a free pose, that of the direction from detector to source seen along the axis.
  double angle_rad(int view) const { return spec_.view_angles_rad[static_cast<std::size_t>(view)]; }

  View view(int index) const;
  /// The ray to fractional cell index (column, row) of a view; for many rays of one view use
  /// ViewRays.
  Ray ray(int view, double column, double row) const;

  /// Angle between the central ray and the ray to a fractional column, radians; parallel: 0.
  double fan_angle_rad(double column) const;
  /// Radius about the axis that every view sees on both sides, mm.
  double field_of_view_radius_mm() const;
  /// What any of the views sees of the axis.
  AxialRange axial_range_mm() const;
  double axial_coverage_mm() const { return axial_range_mm().high - axial_range_mm().low; }
  /// Detector pitch scaled to the isocentre, mm; of free poses, a mean.
  double column_pitch_at_isocenter_mm() const;
  double row_pitch_at_isocenter_mm() const;

 private:
  ScanSpec spec_;
};

/// The rays of one view, with its trigonometry done once. Cell c of the detector spans c - 0.5 to c
/// + 0.5.
class ViewRays {
 public:
  ViewRays(const ScanGeometry& geometry, int view);
  /// The point of the detector at a fractional cell index.
  Vec3 detector_point_mm(double column, double row) const;
  /// The ray that lands there. That of a parallel beam begins on the detector, which on a circle
  /// stands in the plane through the isocentre.
  Ray ray(double column, double row) const;

 private:
  const ScanSpec& spec_;
  View pose_;
  Vec3 across_, forward_;
};

/// Angles first + i * step, i = 0 .. count - 1, degrees in, radians out.
std::vector<double> angles_from_degrees(double first_deg, double step_deg, int count);

/// The same detector with each column cut into `parts`.
ScanSpec with_finer_columns(ScanSpec spec, int parts);

/// "fan flat, 720 views x 512 cells of 1.6 mm"
std::string describe(const ScanGeometry& geometry);

constexpr double pi = 3.14159265358979323846;
constexpr double radians(double degrees) { return degrees * (pi / 180.0); }
constexpr double degrees(double radians) { return radians * (180.0 / pi); }

}  // namespace gantry
