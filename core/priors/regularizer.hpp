#pragma once

#include "core/data/volume.hpp"

#include <functional>
#include <memory>

namespace gantry {

/// The task of a proximal map: argmin_z 1/2 ||z - v||^2 + weight R(z) subject to z >= low.
struct ProximalTask {
  const Array& v;
  double weight = 0;
  float low = 0;        ///< minus infinity: unconstrained
  int iterations = 20;  ///< of the method that approaches the minimum
  /// Called between passes over the image; may throw Interrupted, with the outputs undefined.
  const std::function<void()>& check_interrupt;
};

/// A convex penalty R(x) on images of one grid, and its proximal map. It lives on one backend: a
/// CUDA twin derives from this as well, and its catalogue line hands its own maker to the solver.
class Regularizer {
 public:
  virtual ~Regularizer() = default;

  virtual double value(const Array& x) const = 0;

  /// Approaches the minimum from the dual vector given, and leaves there the one that it reached:
  /// the next task of the same kind starts well from it. Results do not depend on threads.
  virtual void proximal(const ProximalTask& task, Array& dual, Array& x) = 0;
  virtual std::size_t dual_size() const = 0;
};

using RegularizerMaker =
    std::function<std::unique_ptr<Regularizer>(Backend& backend, const VolumeGrid& grid)>;

}  // namespace gantry
