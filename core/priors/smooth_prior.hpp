#pragma once

#include "core/data/volume.hpp"

#include <functional>
#include <memory>

namespace gantry {

/// What the line x + a d meets of a penalty at some a: its derivative along the line there, and the
/// curvature of a parabola that touches it there and lies nowhere below it.
struct PriorLine {
  double slope = 0, curvature = 0;
  PriorLine& operator+=(const PriorLine& other) {
    slope += other.slope;
    curvature += other.curvature;
    return *this;
  }
};

/// A convex penalty R(x) with a gradient, on images of one grid, for methods that descend along it
/// (Regularizer is for those that take its proximal map). It lives on one backend: a CUDA twin
/// derives from this as well, and its catalogue line hands its own maker to the solver. Results do
/// not depend on threads.
class SmoothPrior {
 public:
  virtual ~SmoothPrior() = default;

  virtual double value(const Array& x) const = 0;

  /// g = grad R(x), and h such that R(x) + <g, y - x> + 1/2 sum_j h_j (y_j - x_j)^2 is nowhere
  /// below R(y).
  virtual void gradient(const Array& x, Array& g, Array& h) const = 0;

  virtual PriorLine along(const Array& x, const Array& d, double a) const = 0;
};

using SmoothPriorMaker =
    std::function<std::unique_ptr<SmoothPrior>(Backend& backend, const VolumeGrid& grid)>;

}  // namespace gantry
