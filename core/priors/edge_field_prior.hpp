#pragma once

#include "core/base/params.hpp"
#include "core/priors/edge_field_model.hpp"
#include "core/priors/mumford_shah.hpp"

#include <memory>
#include <utility>

namespace gantry {

/// Ambrosio and Tortorelli's penalty (mumford_shah.hpp) on one backend. The smoothness
/// 1/2 sum v_j^2 |(grad x)_j|^2 is a prior of its own, whose potential holds the edge field v of
/// this one; a backend adds the passes over v.
class EdgeFieldPrior : public Prior {
 public:
  double value(const Array& x) const final { return smoothness_->value(x) + edge_energy(); }
  void adapt_edges(const Array& x) final {
    for (int half_sweep = 0; half_sweep < 2 * edge_sweeps; ++half_sweep)
      adapt_half(x, half_sweep % 2);
  }
  Array* edges() final { return &v_; }

 protected:
  EdgeFieldPrior(Backend& backend, const VolumeGrid& grid, const Params& params);

  /// Sets the prior of the smoothness, whose potential is EdgeFieldPotential{edge_values()}.
  void set_smoothness(std::unique_ptr<Prior> smoothness) { smoothness_ = std::move(smoothness); }
  const float* edge_values() const { return v_.data(); }
  float* edge_values() { return v_.data(); }
  const device::MagnitudeField& field() const { return field_; }
  const device::EdgeEnergy& energy() const { return energy_; }

 private:
  /// Minimises R over the edge field of the voxels whose index sum has this parity.
  virtual void adapt_half(const Array& x, int parity) = 0;
  /// Returns the part of R that depends on the edge field alone.
  virtual double edge_energy() const = 0;

  void do_gradient(const Array& x, Array& g, Array& h) const final {
    smoothness_->gradient(x, g, h);
  }
  void do_gradient_at(const Array& x, const VoxelLattice& voxels, Array& g, Array& h) const final {
    smoothness_->gradient_at(x, voxels, g, h);
  }
  PriorLine do_along(const Array& x, const Array& d, double a) const final {
    return smoothness_->along(x, d, a);
  }

  device::MagnitudeField field_;
  device::EdgeEnergy energy_{};
  Array v_;
  std::unique_ptr<Prior> smoothness_;
};

}  // namespace gantry
