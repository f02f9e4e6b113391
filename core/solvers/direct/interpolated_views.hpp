#pragma once

#include "core/geometry/scan_coverage.hpp"
#include "core/geometry/scan_geometry.hpp"
#include "core/solvers/direct/ray_redundancy.hpp"

#include <string>
#include <vector>

namespace gantry {

/// Views at the usual step in those gaps of a scan on a circle, from 10 degrees up to
/// widest_interpolated_rad, some of whose lines no view measured; two gaps of a fan that face each
/// other must also be 15 steps wide. Narrower gaps are bridged by the weights of the views beside
/// them (ScanCoverage). The data of each view are interpolated linearly, cell by cell, between the
/// two views beside its gap; RayRedundancy leaves them out where the opposite ray was measured.
/// Without them the gap leaves streaks, and a round edge that no ray touches there is drawn as a
/// corner. Small dense and thin objects off the axis may become worse.
class InterpolatedViews {
 public:
  /// Part of a view: the data of a measured view times a factor, at another angle.
  struct Part {
    int measured;
    /// In a parallel beam it lies on the side from which the measured view was taken, so that the
    /// columns need not be mirrored.
    double angle_rad;
    double factor;
    double width_rad;  ///< the angle that the view stands for
  };

  /// No interpolated views.
  InterpolatedViews() = default;
  explicit InterpolatedViews(const ScanGeometry& scan);

  /// Returns the weights of the scan's rays and of those of the parts.
  RayRedundancy redundancy(const ScanGeometry& scan) const {
    return gaps_.empty() ? RayRedundancy(scan) : RayRedundancy(scan, gaps_);
  }
  const std::vector<Part>& parts() const { return parts_; }
  /// Returns one line about the gaps, empty if there are none.
  std::string note() const;

 private:
  std::vector<ScanCoverage::WideGap> gaps_;
  std::vector<Part> parts_;
};

inline constexpr double widest_interpolated_rad = radians(45);

}  // namespace gantry
