#pragma once

#include "core/phantoms/phantom.hpp"

#include <memory>

namespace gantry::branchless_dd {

/// A phantom that is compressed along z: its value at height z is that of the original at height
/// factor * z. Straight lines stay straight, so that line integrals stay exact.
class Flattened final : public Phantom {
 public:
  Flattened(std::unique_ptr<Phantom> phantom, double factor)
      : phantom_(std::move(phantom)), factor_(factor) {}

  double mu_at(Vec3 p) const override { return phantom_->mu_at({p.x, p.y, factor_ * p.z}); }
  double line_integral(const Ray& ray) const override {
    const Vec3 d{ray.direction.x, ray.direction.y, factor_ * ray.direction.z};
    const double stretch = norm(d);
    const Vec3 o{ray.origin_mm.x, ray.origin_mm.y, factor_ * ray.origin_mm.z};
    return phantom_->line_integral({o, (1 / stretch) * d}) / stretch;
  }
  void add_row(Vec3 first_mm, double step_mm, int subsamples,
               std::span<double> sums) const override {
    phantom_->add_row({first_mm.x, first_mm.y, factor_ * first_mm.z}, step_mm, subsamples, sums);
  }
  Vec3 half_extent_mm() const override {
    const Vec3 half = phantom_->half_extent_mm();
    return {half.x, half.y, half.z / factor_};
  }
  bool is_section() const override { return phantom_->is_section(); }

 private:
  std::unique_ptr<Phantom> phantom_;
  double factor_;
};

}  // namespace gantry::branchless_dd
