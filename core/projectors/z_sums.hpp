#pragma once

#include "core/data/array.hpp"
#include "core/projectors/prefix_sums.hpp"
#include "core/projectors/slices.hpp"

namespace gantry {

/// Prefix sums across the pixels of each slice of one kind of a volume, with z running along
/// memory, [slice][pixel edge][z]: line i of a slice is the sum of its first i columns of voxels.
class ZSums {
 public:
  /// Throws OutOfMemory.
  ZSums(Backend& backend, const VolumeGrid& grid, bool along_y, const float* volume,
        const PrefixUnit& unit);

  const Slices& slices() const { return slices_; }
  int voxels() const { return nz_; }
  const std::int32_t* line(int slice, int pixel_edge) const {
    return sums_ + offset(slice, pixel_edge);
  }

  static std::size_t bytes(const VolumeGrid& grid, bool along_y);

 private:
  void add_up(const VolumeGrid& grid, int first, int last, const float* volume,
              const PrefixUnit& unit);
  std::size_t offset(int slice, int pixel_edge) const {
    return (static_cast<std::size_t>(slice) * (static_cast<std::size_t>(slices_.width) + 1) +
            static_cast<std::size_t>(pixel_edge)) *
           static_cast<std::size_t>(nz_);
  }

  Slices slices_;
  int nz_;
  Array memory_;
  std::int32_t* sums_;  ///< the memory, which holds nothing but whole numbers
};

}  // namespace gantry
