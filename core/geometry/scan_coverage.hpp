#pragma once

#include "core/geometry/scan_geometry.hpp"

#include <optional>
#include <vector>

namespace gantry {

/// The part of the circle that the views of a scan cover. A gap between neighbouring views that
/// stands out among the others is a hole: the measured arc ends half a usual step beyond the last
/// view before it. Its neighbours stand for any other gap, as of lost frames or of random angles.
/// See scan_coverage.cpp.
class ScanCoverage {
 public:
  /// Angles are taken modulo pi for a parallel beam, else modulo 2 pi.
  explicit ScanCoverage(const ScanGeometry& geometry);
  /// Angles are taken modulo `period_rad`. `fan_rad`, of a full turn whose every line is measured
  /// from both sides, is the angle of the whole fan: gaps are then holes, also where they are
  /// narrow, if views from the other side measured all their lines.
  ScanCoverage(const ScanGeometry& geometry, double period_rad,
               std::optional<double> fan_rad = std::nullopt);

  /// Returns the angle that each view stands for, radians: half the gaps to its neighbours, where a
  /// hole counts as one step.
  const std::vector<double>& view_widths_rad() const { return shares_rad_; }
  /// Returns the median of the gaps between views, radians.
  double usual_step_rad() const { return step_; }
  /// Returns the widest of the gaps that are no holes, radians.
  double widest_gap_rad() const { return widest_gap_; }
  /// Neighbouring views between which is a hole of more than 10 degrees.
  struct WideGap {
    int before, after;
    double begin_rad, length_rad;  ///< from the angle of `before`, modulo the period
  };
  /// None if there are so many of them that they are usual, as between groups of views.
  const std::vector<WideGap>& wide_gaps() const { return wide_gaps_; }
  /// Returns the angles of the holes, radians, without the half steps at both ends.
  std::vector<double> holes_rad() const;
  /// Returns whether each line of a fan of this angle is measured from one side or the other, by a
  /// full turn of views without the holes. The fan of a parallel beam is 0.
  bool measures_every_line(double fan_rad) const;
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
  struct Hole {
    double middle, length;
    /// Returns the angle between the ends of two holes, one of them turned by `turn`; negative
    /// where they overlap.
    double distance(const Hole& other, double turn) const;
  };

  double period_, step_, widest_gap_ = 0;
  std::vector<WideGap> wide_gaps_;
  std::vector<double> shares_rad_;
  std::vector<Hole> holes_;
  std::vector<Arc> arcs_;  ///< sorted by begin, in [0, period); empty: complete
};

/// Returns true if at least three views cover a full turn, so that a detector that extends further
/// to one side sees all that this side reaches.
bool covers_full_turn(const ScanGeometry& geometry);

}  // namespace gantry
