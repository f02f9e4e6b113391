#pragma once

#include "core/backend/array.hpp"
#include "core/data/volume.hpp"
#include "core/projectors/common/prefix_sums.hpp"
#include "core/projectors/distance_driven/prefix_kernels.hpp"

namespace gantry {

/// Prefix sums along z of a volume's columns of voxels, with z running along memory, [iy][ix][iz];
/// lines are padded as prefix_kernels.hpp asks.
class ZSums {
 public:
  /// Throws OutOfMemory.
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
  std::int32_t* sums_;  ///< the memory, which holds nothing but whole numbers
};

}  // namespace gantry
