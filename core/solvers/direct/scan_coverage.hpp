#pragma once

#include "core/geometry/scan_geometry.hpp"

#include <vector>

namespace gantry {

/// The part of the circle that the views of a scan stand for. Angles are taken modulo pi for a
/// parallel beam, else modulo 2 pi. A gap much wider than the usual step between views is a pause:
/// the measured arc ends half a step beyond its last view.
class ScanCoverage {
 public:
  explicit ScanCoverage(const ScanGeometry& geometry);

  /// What each view stands for, radians: half the gaps to its neighbours, a pause counting as one
  /// step.
  const std::vector<double>& shares_rad() const { return shares_rad_; }
  /// Sum of the measured arcs, at most the period, radians.
  double covered_rad() const;
  bool complete() const { return arcs_.empty(); }
  /// How far an angle lies inside the arc that holds it, radians: the distance to the nearer end; 0
  /// outside, infinity when nothing is missing.
  double depth_rad(double angle_rad) const;

 private:
  struct Arc {
    double begin, length;
  };

  double period_;
  std::vector<double> shares_rad_;
  std::vector<Arc> arcs_;  ///< by begin, in [0, period); none: complete
};

}  // namespace gantry
