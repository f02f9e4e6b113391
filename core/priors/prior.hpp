#pragma once

#include "core/backend/array.hpp"
#include "core/geometry/volume_grid.hpp"

#include <cstddef>
#include <functional>
#include <string>

namespace gantry {

/// What a solver can ask of a prior, and the degree by which its weight is scaled; known before a
/// prior is made.
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
  float low = 0;        ///< minus infinity: no limit
  int iterations = 20;  ///< of the method that approximates the minimum
  /// Called between passes over the image; may throw Interrupted, with the outputs undefined.
  const std::function<void()>& check_interrupt;
};

/// A penalty along a line x + a d, at some a: its derivative, and the curvature of a parabola that
/// touches the penalty there and lies nowhere below it.
struct PriorLine {
  double slope = 0, curvature = 0;
  PriorLine& operator+=(const PriorLine& other) {
    slope += other.slope;
    curvature += other.curvature;
    return *this;
  }
};

/// A convex penalty R(x) on images of one grid, on one backend. Functions that the traits do not
/// offer throw std::logic_error. Results do not depend on the number of threads.
class Prior {
 public:
  using Traits = PriorTraits;

  virtual ~Prior() = default;
  Prior(const Prior&) = delete;
  Prior& operator=(const Prior&) = delete;

  const PriorTraits& traits() const { return traits_; }

  /// R(x)
  virtual double value(const Array& x) const = 0;

  /// Sets g = grad R(x), and h such that R(x) + <g, y - x> + 1/2 sum_j h_j (y_j - x_j)^2 is nowhere
  /// below R(y).
  void gradient(const Array& x, Array& g, Array& h) const;
  PriorLine along(const Array& x, const Array& d, double a) const;

  /// Approximates the minimum of the task, starting from the given dual vector, and stores there
  /// the dual vector that it reached, which is a good start for the next similar task. Throws
  /// ShapeError if `dual` does not have dual_size() elements.
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
  /// If true, lambda = weight; if not, penalty_weight() scales the weight by the data and A.
  bool absolute = false;
};

}  // namespace gantry
