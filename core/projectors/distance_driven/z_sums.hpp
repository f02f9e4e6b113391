#pragma once

#include "core/backend/array.hpp"
#include "core/data/volume.hpp"
#include "core/projectors/common/prefix_sums.hpp"
#include "core/projectors/distance_driven/prefix_kernels.hpp"

namespace gantry {

/// Prefix sums along z of the voxel lines of a volume, in the order [iy][ix][iz], padded as defined
/// in prefix_kernels.hpp.
class ZSums {
 public:
  /// Computes the sums of a volume [iz][iy][ix], in units of `unit`. Throws OutOfMemory.
  ZSums(Backend& backend, const VolumeGrid& grid, const float* volume, const PrefixUnit& unit);

  int voxels() const { return grid_.nz; }
  const std::int32_t* line(int ix, int iy) const { return sums_ + offset(ix, iy); }

  static std::size_t bytes(const VolumeGrid& grid) {
    return sizeof(std::int32_t) * (grid.voxels() / static_cast<std::size_t>(grid.nz)) *
           (static_cast<std::size_t>(grid.nz) + prefix_padding);
  }

 private:
  void add_up(int iy, int x_first, int x_last, const float* volume, const PrefixUnit& unit);
  std::size_t offset(int ix, int iy) const {
    return (static_cast<std::size_t>(iy) * static_cast<std::size_t>(grid_.nx) +
            static_cast<std::size_t>(ix)) *
           (static_cast<std::size_t>(grid_.nz) + prefix_padding);
  }

  VolumeGrid grid_;
  Array memory_;
  std::int32_t* sums_;  ///< memory_, whose bytes hold whole numbers only
};

}  // namespace gantry
