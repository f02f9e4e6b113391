#pragma once

#include "core/geometry/scan_geometry.hpp"
#include "core/solvers/direct/scan_coverage.hpp"

#include <string>
#include <vector>

namespace gantry {

/// What a ray counts when it lies `depth` inside the measured range and its opposite `opposite`
/// inside (0: not measured): smooth, and the two add up to one. See ray_redundancy.cpp.
double parker_weight(double depth, double opposite, double taper);

/// Weights of the rays of a fan or cone beam on a circle: a line that was measured from both sides
/// counts one in all, smoothly across the scan, so that the ramp filter meets no steps. Parker's
/// weights for a short scan; one half everywhere for a full turn; Wang's for a detector that
/// reaches further to one side; one for a ray that was measured once. In a cone the weights of the
/// plane of rotation hold for every row.
class RayRedundancy {
 public:
  explicit RayRedundancy(const ScanGeometry& geometry);

  /// 0 to 1, of the ray at a gantry angle and a fan angle. A parallel beam, whose views are
  /// weighted by their shares, gets one half.
  double weight(double angle_rad, double fan_angle_rad) const;

  const ScanCoverage& coverage() const { return coverage_; }

 private:
  double side_weight(double fan_angle_rad) const;

  bool parallel_;
  ScanCoverage coverage_;
  double narrow_rad_, wide_rad_, long_side_;  ///< reach of the fan to both sides; sign of the wider
};

/// What a user should know of a scan too short for a complete image; empty when it is long enough.
std::string coverage_note(const ScanGeometry& geometry);

}  // namespace gantry
