#pragma once

#include "core/geometry/scan_geometry.hpp"

#include <vector>

namespace gantry {

/// The part of the circle that the views of a scan cover. A gap much wider than the usual step
/// between views is a pause: the measured arc ends half a step beyond the last view before it.
class ScanCoverage {
 public:
  /// Angles are taken modulo pi for a parallel beam, else modulo 2 pi.
  explicit ScanCoverage(const ScanGeometry& geometry);
  /// Angles are taken modulo `period_rad`.
  ScanCoverage(const ScanGeometry& geometry, double period_rad);

  /// Returns the angle that each view stands for, radians: half the gaps to its neighbours, where a
  /// pause counts as one step.
  const std::vector<double>& view_widths_rad() const { return shares_rad_; }
  /// Sum of the measured arcs, at most the period, radians.
  double covered_rad() const;
  bool complete() const { return arcs_.empty(); }
  /// Returns how far an angle lies inside its arc, radians: the distance to the nearer end; 0
  /// outside all arcs; infinity if the circle is complete.
  double depth_rad(double angle_rad) const;

 private:
  struct Arc {
    double begin, length;
  };

  double period_;
  std::vector<double> shares_rad_;
  std::vector<Arc> arcs_;  ///< sorted by begin, in [0, period); empty: complete
};

/// Returns true if at least three views cover a full turn, so that a detector that extends further
/// to one side sees all that this side reaches.
bool covers_full_turn(const ScanGeometry& geometry);

}  // namespace gantry
