#pragma once

#include "core/geometry/scan_geometry.hpp"

#include <string>
#include <vector>

namespace gantry {

/// Views at the usual step in the wide gaps of a scan on a circle, up to widest_interpolated, whose
/// lines no view measured. The data of each are interpolated linearly, cell by cell, between the
/// two views beside its gap. Without them the gap leaves streaks, and a round edge that no ray
/// touches there is drawn as a corner.
class InterpolatedViews {
 public:
  /// Part of a view: the data of a measured view times a factor, at another angle.
  struct Part {
    int measured;
    double angle_rad;
    double factor;
    int view;  ///< of the completed scan
  };

  /// No interpolated views.
  InterpolatedViews() = default;
  explicit InterpolatedViews(const ScanGeometry& scan);

  /// Returns the scan followed by the interpolated views.
  ScanGeometry completed(const ScanGeometry& scan) const;
  /// Returns what the interpolated views consist of. In a parallel beam the angle of a part lies on
  /// the side from which its view was measured, so that its columns need not be mirrored.
  const std::vector<Part>& parts() const { return parts_; }
  /// Returns one line about the gaps, empty if there are none.
  std::string note() const;

 private:
  std::vector<Part> parts_;  ///< two after another for each interpolated view
  std::vector<double> gaps_rad_;
};

inline constexpr double widest_interpolated_rad = radians(45);

}  // namespace gantry
