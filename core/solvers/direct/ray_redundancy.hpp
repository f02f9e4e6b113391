#pragma once

#include "core/geometry/scan_coverage.hpp"
#include "core/geometry/scan_geometry.hpp"

#include <string>
#include <vector>

namespace gantry {

/// Returns the weight of a ray that lies `depth` inside the measured range and whose opposite lies
/// `opposite` inside (0: not measured). The weight is smooth, and the two add up to one. See
/// ray_redundancy.cpp.
double parker_weight(double depth, double opposite, double taper);

/// Weights of the rays of a scan on a circle. The weights of a line that was measured from both
/// sides add up to one and vary smoothly across the scan, since the ramp filter would turn steps
/// into streaks: Parker's weights for a short scan; one half everywhere for a full turn; Wang's for
/// a detector that extends further to one side; one for a ray that was measured once. In a cone
/// beam the weights of the plane of rotation are used in every row.
class RayRedundancy {
 public:
  explicit RayRedundancy(const ScanGeometry& geometry);
  /// Weights of a scan some of whose wide gaps are filled with interpolated views. Interpolated
  /// rays have no weight where the opposite ray was measured, and all of it where none was;
  /// between, their weight varies smoothly.
  RayRedundancy(const ScanGeometry& geometry, std::vector<ScanCoverage::WideGap> filled);

  /// Returns the weight, 0 to 1, of the ray at a gantry angle and a place (see place()). It is one
  /// for a parallel beam that does not tell sides: coverage() shares each line among its views.
  double weight(double angle_rad, double place) const;
  /// Returns where a column lies from the axis: the fan angle, of a parallel beam the distance in
  /// mm.
  double place(int column) const;
  /// The angles of a parallel beam are taken modulo half a turn unless its weights depend on the
  /// side.
  const ScanCoverage& coverage() const { return coverage_; }
  /// Returns whether weights depend on the side of the axis: for diverging beams, and for a
  /// parallel beam over more than half a turn whose axis lies off the middle.
  bool tells_sides() const { return tells_sides_; }

 private:
  double side_weight(double place) const;
  double filled_depth_rad(double angle_rad) const;
  double interpolated_weight(double angle_rad, double opposite_rad, double place) const;

  const ScanGeometry geometry_;
  bool tells_sides_;
  ScanCoverage coverage_;
  std::vector<ScanCoverage::WideGap> filled_;
  double short_side_, wide_side_, long_side_sign_;  ///< places of both ends; sign of the wider
};

/// Returns a warning if the scan is too short, or has too wide holes, for a complete image, else an
/// empty text.
std::string coverage_note(const ScanGeometry& geometry);

/// Returns a warning if neighbouring views stand for a gap much wider than the usual step, else an
/// empty text.
std::string uneven_views_note(const ScanCoverage& coverage);

}  // namespace gantry
