#pragma once

#include "core/backend/array.hpp"
#include "core/geometry/volume_grid.hpp"

#include <cstddef>
#include <functional>
#include <string>

namespace gantry {

/// What a solver can ask of a prior, and what the prior's weight scales with; known before one is
/// made.
struct PriorTraits {
  bool has_gradient = false;  ///< gradient() and along()
  bool has_proximal = false;  ///< proximal() and dual_size()
  int degree = 1;             ///< R(c x) grows like c^degree for large c: 1 or 2
  friend bool operator==(const PriorTraits&, const PriorTraits&) = default;
};

/// The task of a proximal map: argmin_z 1/2 ||z - v||^2 + weight R(z) subject to z >= low.
struct ProximalTask {
  const Array& v;
  double weight = 0;
  float low = 0;        ///< minus infinity: no bound
  int iterations = 20;  ///< of the method that approaches the minimum
  /// Called between passes over the image; may throw Interrupted, with the outputs undefined.
  const std::function<void()>& check_interrupt;
};

/// A penalty along a line x + a d, at some a: its derivative there, and the curvature of a parabola
/// that touches the penalty there and lies nowhere below it.
struct PriorLine {
  double slope = 0, curvature = 0;
  PriorLine& operator+=(const PriorLine& other) {
    slope += other.slope;
    curvature += other.curvature;
    return *this;
  }
};

/// A convex penalty R(x) on images of one grid, on one backend. A prior offers what its traits say;
/// to ask for anything else is a std::logic_error. Results do not depend on the number of threads.
class Prior {
 public:
  using Traits = PriorTraits;

  virtual ~Prior() = default;
  Prior(const Prior&) = delete;
  Prior& operator=(const Prior&) = delete;

  const PriorTraits& traits() const { return traits_; }

  /// R(x)
  virtual double value(const Array& x) const = 0;

  /// g = grad R(x), and h such that R(x) + <g, y - x> + 1/2 sum_j h_j (y_j - x_j)^2 is nowhere
  /// below R(y).
  void gradient(const Array& x, Array& g, Array& h) const;
  PriorLine along(const Array& x, const Array& d, double a) const;

  /// Approaches the minimum of the task from the dual vector given, and leaves there the dual
  /// vector that it reached: the next task of the same kind starts well from it. Throws ShapeError
  /// if `dual` does not have dual_size() elements.
  void proximal(const ProximalTask& task, Array& dual, Array& x);
  std::size_t dual_size() const;

 protected:
  explicit Prior(const PriorTraits& traits) : traits_(traits) {}

 private:
  // Called only if the traits offer them.
  virtual void do_gradient(const Array& x, Array& g, Array& h) const;
  virtual PriorLine do_along(const Array& x, const Array& d, double a) const;
  virtual void do_proximal(const ProximalTask& task, Array& dual, Array& x);
  virtual std::size_t do_dual_size() const;

  PriorTraits traits_;
};

/// The penalty term of a problem: lambda R(x).
struct Penalty {
  Prior* prior = nullptr;  ///< null: none
  double weight = 0;
  /// lambda = weight; else weight counts in what the data and A suggest (penalty_weight).
  bool absolute = false;
};

}  // namespace gantry
