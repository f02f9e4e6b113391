#pragma once

#include "core/priors/regularizer.hpp"

#include <array>
#include <cstddef>
#include <memory>
#include <span>

namespace gantry {

/// Isotropic total variation of a 2D or 3D image (Rudin, Osher, Fatemi, Physica D 60 (1992) 259):
///   TV(x) = sum_j |(grad x)_j|,   (grad x)_ja = c_a (x_{j + e_a} - x_j), 0 behind the last voxel,
/// with c_a = smallest spacing / spacing along a, which is 1 where voxels are cubes: it counts in
/// the image's unit, 1/mm. Its proximal map is approached by the fast gradient projection of Beck
/// and Teboulle, IEEE Trans. Image Process. 18 (2009) 2419, section 4:
///   z = max(v + w div p, low),   p <- P(r + grad max(v + w div r, low) / (w |grad|^2)),
/// r the extrapolation of the last two p, P the projection on |p_j| <= 1, div = -grad^T exactly.
///
/// On the memory of the CPU; throws UsageError on another backend.
std::unique_ptr<Regularizer> make_total_variation(Backend& backend, const VolumeGrid& grid);

/// The method itself; the passes over the image are each backend's own.
class DualProjection : public Regularizer {
 public:
  DualProjection(Backend& backend, const VolumeGrid& grid);

  std::size_t dual_size() const final { return extrapolated_.size(); }
  void proximal(const ProximalTask& task, Array& dual, Array& x) final;

 private:
  /// z = max(v + w div p, low)
  virtual void primal(const ProximalTask& task, const Array& p, Array& z) const = 0;
  /// p' = P(r + step grad z), r = p' + momentum (p' - p), p = p'
  virtual void ascend(const Array& z, float step, float momentum, Array& p, Array& r) const = 0;

  double norm_square_;  // a bound of |grad|^2
  Array extrapolated_;  // r
};

/// The c_a above.
std::array<double, 3> difference_weights(const VolumeGrid& grid);

/// The axes along which there are neighbours to differ from: 2 of a single slice, else 3.
int difference_axes(const VolumeGrid& grid);

/// p = grad x, axis after axis.
void forward_differences(const VolumeGrid& grid, std::span<const float> x, std::span<float> p);

/// x = div p = -grad^T p.
void divergence(const VolumeGrid& grid, std::span<const float> p, std::span<float> x);

}  // namespace gantry
