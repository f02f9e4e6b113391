#pragma once

#include "core/backend/array.hpp"
#include "core/geometry/volume_grid.hpp"
#include "core/geometry/voxel_lattice.hpp"

#include <cstddef>
#include <functional>
#include <string>

namespace gantry {

/// What a solver can ask of a prior, and the degree by which its weight is scaled; known before a
/// prior is made.
struct PriorTraits {
  bool has_gradient = false;  ///< gradient(), gradient_at() and along()
  bool has_proximal = false;  ///< proximal() and dual_size()
  bool is_convex = true;
  bool has_edges = false;  ///< edges(): the prior holds an edge field of its own
  int degree = 1;          ///< R(c x) grows like c^degree for large c: 1 or 2
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

/// A penalty R(x) on images of one grid, on one backend. Functions that the traits do not
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
  /// For the voxels j of a lattice of which no two are neighbours (also not diagonally), sets g_j =
  /// dR/dx_j and h_j such that R(x) + sum_j (g_j t_j + h_j t_j^2 / 2) is nowhere below R of x with
  /// every x_j changed by t_j. Other elements of g and h stay as they are.
  void gradient_at(const Array& x, const VoxelLattice& voxels, Array& g, Array& h) const;

  /// Lets a prior with an edge field adapt the field to x, by which R(x) does not grow. Solvers
  /// call this between two iterations. Priors without one do nothing.
  virtual void adapt_edges(const Array& /*x*/) {}
  /// Adapts the field to x, beginning with a field without edges, at the start of a run.
  void start_edges(const Array& x);
  /// Returns the edge field, one value per voxel in (0, 1]: near 0 on edges, near 1 inside regions.
  /// Null for priors without one.
  virtual Array* edges() { return nullptr; }

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
  virtual void do_gradient_at(const Array& x, const VoxelLattice& voxels, Array& g, Array& h) const;
  virtual PriorLine do_along(const Array& x, const Array& d, double a) const;
  virtual void do_proximal(const ProximalTask& task, Array& dual, Array& x);
  virtual std::size_t do_dual_size() const;

  PriorTraits traits_;
};

/// How the weight of a penalty becomes lambda; penalty_weight() (core/solvers/penalty.hpp) has the
/// formulas.
enum class PenaltyScale {
  relative,   ///< the weight is scaled by the data and A
  absolute,   ///< lambda is the weight
  automatic,  ///< lambda follows from the noise of the data and from the sharpness; no weight
};

/// The penalty term of a problem: lambda R(x).
struct Penalty {
  Prior* prior = nullptr;  ///< null: none
  double weight = 0;
  PenaltyScale scale = PenaltyScale::relative;
  double sharpness = 0;  ///< of the automatic scale; 1 more doubles the differences expected
  /// Variance of a ray of weight 1, for the automatic scale; 0: unknown, estimated from the data.
  double noise_variance = 0;
};

}  // namespace gantry
