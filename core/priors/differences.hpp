#pragma once

#include "core/geometry/volume_grid.hpp"

#include <array>
#include <cstddef>
#include <span>

namespace gantry {

/// The differences that priors of the gradient magnitude are made of:
///   (grad x)_ja = c_a (x_{j + e_a} - x_j), 0 behind the last voxel of an axis,
///   c_a = smallest spacing / spacing along a,
/// so that c_a is 1 where voxels are cubes and grad x has the unit of the image, 1/mm. A single
/// slice has differences along x and y, a volume along z as well.
std::array<double, 3> difference_weights(const VolumeGrid& grid);  ///< the c_a
int difference_axes(const VolumeGrid& grid);                       ///< 2 or 3

/// The differences of an image line by line; a line runs along x, and line iz ny + iy is that of
/// (iy, iz).
class Differences {
 public:
  explicit Differences(const VolumeGrid& grid);

  int axes() const { return axes_; }
  std::size_t lines() const { return ny_ * nz_; }
  std::size_t line_length() const { return nx_; }
  std::size_t voxels() const { return voxels_; }
  float weight(int axis) const { return weight_[axis]; }

  /// Whether a line has a next or previous line along axis 1 (y) or 2 (z), and the offset of the
  /// next line along that axis, in voxels.
  bool has_next(int axis, std::size_t line) const {
    return axis == 1 ? line % ny_ + 1 < ny_ : line / ny_ + 1 < nz_;
  }
  bool has_previous(int axis, std::size_t line) const {
    return axis == 1 ? line % ny_ > 0 : line / ny_ > 0;
  }
  std::size_t stride(int axis) const { return axis == 1 ? nx_ : nx_ * ny_; }
  std::size_t previous_line(int axis, std::size_t line) const {
    return axis == 1 ? line - 1 : line - ny_;
  }

  /// g[axis * nx + ix] = (grad x) of one line. `x` is the whole image.
  void gradient_line(const float* x, std::size_t line, float* g) const;
  /// out[ix] = (div p) of one line, div = -grad^T. `p` is the whole field, axis after axis.
  void divergence_line(const float* p, std::size_t line, float* out) const;

 private:
  int axes_;
  std::size_t nx_, ny_, nz_, voxels_;
  float weight_[3] = {1, 1, 1};
};

/// p = grad x, axis after axis: [axis][iz][iy][ix].
void forward_differences(const VolumeGrid& grid, std::span<const float> x, std::span<float> p);
/// x = div p = -grad^T p.
void divergence(const VolumeGrid& grid, std::span<const float> p, std::span<float> x);

}  // namespace gantry
