#pragma once

#include "core/base/vec3.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace gantry {

enum class Beam { parallel, fan, cone };
enum class DetectorShape { flat, arc };
enum class Trajectory { circular, helical, poses };

/// One pose of source and detector. u_mm and v_mm are the steps from a cell to the next column and
/// row. detector_mm is the point of the detector at (central_column, central_row); on a circle or
/// helix, the ray through the axis lands there at right angles to the detector.
struct View {
  Vec3 source_mm, detector_mm, u_mm, v_mm;

  friend bool operator==(const View&, const View&) = default;
};

/// A ray of unit direction towards the detector. It begins at the source, in a parallel beam on the
/// detector.
struct Ray {
  Vec3 origin_mm, direction;
};

/// The numbers that describe a scan, as in a scan file, but with angles in radians.
///
/// World coordinates: right-handed, millimetres, rotation axis z. At gantry angle t
/// (counter-clockwise seen from +z) the source stands at SID (sin t, -cos t, 0) and the detector's
/// centre at -(SDD - SID) (sin t, -cos t, 0); detector columns grow along (cos t, sin t, 0), rows
/// along z. Cells of an arc detector lie at equal angles about the source; their pitch is the arc
/// length at SDD.
///
/// Trajectory::poses: each view has a free pose of source and flat detector, given in `poses`. The
/// rays of a parallel beam run along the direction from source to detector. Angles, distances and
/// pitches are derived from the poses (see poses.hpp), which replaces any given values.
struct ScanSpec {
  Beam beam = Beam::fan;
  DetectorShape detector = DetectorShape::flat;
  Trajectory trajectory = Trajectory::circular;
  double source_to_isocenter_mm = 0;  ///< SID, mm; unused in a parallel beam
  double source_to_detector_mm = 0;   ///< SDD, mm; unused in a parallel beam
  int detector_columns = 0, detector_rows = 1;
  double column_pitch_mm = 0, row_pitch_mm = 0;
  double central_column = 0,
         central_row = 0;  ///< fractional index of the ray through the isocentre
  std::vector<double> view_angles_rad;
  double helical_feed_mm_per_turn = 0;
  std::vector<View> poses;  ///< used with Trajectory::poses

  friend bool operator==(const ScanSpec&, const ScanSpec&) = default;
};

/// A range of heights along z, mm.
struct AxialRange {
  double low = 0, high = 0;
};

/// A validated, immutable scan. In a parallel or fan beam, the detector rows are a stack of
/// in-plane fans at heights (row - central_row) * row_pitch; only a cone beam diverges along z.
class ScanGeometry {
 public:
  /// Throws InputError naming the field; `where` names the file or form that the numbers come from.
  explicit ScanGeometry(ScanSpec spec, const std::string& where = "geometry");

  const ScanSpec& spec() const { return spec_; }
  Beam beam() const { return spec_.beam; }
  /// Returns true for a circle or helix about the axis, which many methods require; false for free
  /// poses.
  bool rotates() const { return spec_.trajectory != Trajectory::poses; }
  int views() const { return static_cast<int>(spec_.view_angles_rad.size()); }
  int columns() const { return spec_.detector_columns; }
  int rows() const { return spec_.detector_rows; }
  std::size_t cells() const {
    return static_cast<std::size_t>(columns()) * static_cast<std::size_t>(rows());
  }
  std::size_t rays() const { return cells() * static_cast<std::size_t>(views()); }
  /// Returns the gantry angle of a view; of a free pose, the angle of the direction from detector
  /// to source seen along z.
  double angle_rad(int view) const { return spec_.view_angles_rad[static_cast<std::size_t>(view)]; }

  /// Returns source, detector point and cell steps of a view. In a parallel beam on a circle the
  /// "source" stands 1 mm from the axis and the detector on the axis.
  View view(int index) const;
  /// Returns the ray of a view to the fractional cell index (column, row). For many rays of one
  /// view use ViewRays.
  Ray ray(int view, double column, double row) const;

  /// Returns the angle between the central ray and the ray to a fractional column, radians; 0 in a
  /// parallel beam.
  double fan_angle_rad(double column) const;
  /// Returns the radius of the largest circle about the axis whose points are all seen over half a
  /// turn, mm: what every view sees on both sides; after a full turn what the longer side of the
  /// detector reaches. 0 if a view does not see the axis.
  double field_of_view_radius_mm() const;
  /// Returns the part of the axis that at least one view sees; on a helix, from the lowest to the
  /// highest view.
  AxialRange axial_range_mm() const;
  double axial_coverage_mm() const { return axial_range_mm().high - axial_range_mm().low; }
  /// Returns the detector pitch scaled to the isocentre, mm; for free poses, the scaled mean pitch.
  double column_pitch_at_isocenter_mm() const;
  double row_pitch_at_isocenter_mm() const;

 private:
  ScanSpec spec_;
};

/// Returns the index of a cell among those of a view, [row][column].
inline std::size_t cell_index(const ScanSpec& spec, int column, int row) {
  return static_cast<std::size_t>(row) * static_cast<std::size_t>(spec.detector_columns) +
         static_cast<std::size_t>(column);
}
inline std::size_t cell_index(const ScanGeometry& geometry, int column, int row) {
  return cell_index(geometry.spec(), column, row);
}

/// Computes the rays of one view; the trigonometric functions of the view are evaluated once. Cell
/// c of the detector spans the fractional indices c - 0.5 to c + 0.5.
class ViewRays {
 public:
  ViewRays(const ScanGeometry& geometry, int view);
  /// Returns the point of the detector at a fractional cell index.
  Vec3 detector_point_mm(double column, double row) const;
  /// Returns the ray to that point. In a parallel beam the ray begins on the detector, which on a
  /// circle stands in a plane through the isocentre.
  Ray ray(double column, double row) const;

 private:
  const ScanSpec& spec_;
  View pose_;
  Vec3 across_, forward_;
};

/// Returns the angles first_deg + i * step_deg, i = 0 .. count - 1, in radians.
std::vector<double> angles_from_degrees(double first_deg, double step_deg, int count);

/// Returns the scan with each detector column divided into `parts` columns.
ScanSpec with_finer_columns(ScanSpec spec, int parts);

/// Returns a text such as "fan flat, 720 views x 512 cells of 1.6 mm".
std::string describe(const ScanGeometry& geometry, bool lengths_are_known = true);

constexpr double pi = 3.14159265358979323846;
constexpr double radians(double degrees) { return degrees * (pi / 180.0); }
constexpr double degrees(double radians) { return radians * (180.0 / pi); }

}  // namespace gantry
