#pragma once

#include "core/geometry/scan_geometry.hpp"

#include <cstddef>
#include <optional>
#include <vector>

namespace gantry {

/// The views of a scan in the order of their angles, 0 to 2 pi, for interpolation between them.
class ViewCircle {
 public:
  explicit ViewCircle(const ScanSpec& scan);

  std::size_t count() const { return angles_.size(); }
  /// Return the angle, radians, of the view at a place in this order, and its index in the scan.
  double angle(std::size_t place) const { return angles_[place]; }
  int view(std::size_t place) const { return order_[place]; }
  /// Returns the median of the steps between neighbours, radians; 0 for one view.
  double usual_step() const { return usual_step_; }
  /// Returns the place after the widest gap, where the views of less than a turn begin.
  std::size_t first() const { return first_; }
  /// Returns the angle from first() to a place, 0 to 2 pi.
  double beyond_first(std::size_t place) const;
  /// Returns the angle from first() to the last view, 0 to 2 pi.
  double arc_rad() const { return beyond_first((first_ + count() - 1) % count()); }
  /// Returns the angle that the views cover in any order, counting one step for each.
  double covered_rad() const { return arc_rad() + usual_step_; }

  /// Two places, and the part of the way from one to the other; above 1 behind both.
  struct Between {
    std::size_t before = 0, after = 0;
    float part = 0;
  };
  /// Returns the views around an angle; nothing in a gap of the scan, except up to `beyond` steps
  /// from the views at its ends, which are then to be extrapolated.
  std::optional<Between> around(double angle, double beyond = 0) const;

 private:
  std::vector<double> angles_;
  std::vector<int> order_;
  double usual_step_ = 0;
  std::size_t first_ = 0;
};

}  // namespace gantry
