#pragma once

#include "core/geometry/scan_geometry.hpp"
#include "core/solvers/direct/scan_coverage.hpp"

#include <string>
#include <vector>

namespace gantry {

/// Returns the weight of a ray that lies `depth` inside the measured range and whose opposite lies
/// `opposite` inside (0: not measured). The weight is smooth, and the two add up to one. See
/// ray_redundancy.cpp.
double parker_weight(double depth, double opposite, double taper);

/// Weights of the rays of a fan or cone beam on a circle. The weights of a line that was measured
/// from both sides add up to one and vary smoothly across the scan, since the ramp filter would
/// turn steps into streaks: Parker's weights for a short scan; one half everywhere for a full turn;
/// Wang's for a detector that extends further to one side; one for a ray that was measured once. In
/// a cone beam the weights of the plane of rotation are used in every row.
class RayRedundancy {
 public:
  explicit RayRedundancy(const ScanGeometry& geometry);

  /// Returns the weight, 0 to 1, of the ray at a gantry angle and a fan angle. For a parallel beam
  /// it is one half: its views are weighted by the angles that they stand for
  /// (ScanCoverage::view_widths_rad).
  double weight(double angle_rad, double fan_angle_rad) const;

  const ScanCoverage& coverage() const { return coverage_; }

 private:
  double side_weight(double fan_angle_rad) const;

  bool parallel_;
  ScanCoverage coverage_;
  double short_side_rad_, wide_rad_,
      long_side_sign_;  ///< fan angles of both sides; sign of the wider
};

/// Returns a warning if the scan is too short for a complete image, else an empty text.
std::string coverage_note(const ScanGeometry& geometry);

}  // namespace gantry
