#pragma once

#include "core/data/volume.hpp"
#include "core/projectors/common/padded_rows.hpp"

namespace gantry {

/// A copy of a volume in the order [iy][ix][iz], so that each voxel line (all z of one ix, iy) is
/// contiguous: the rays of one detector column read whole voxel lines. Lines are padded rows (see
/// padded_rows.hpp).
class VoxelLines {
 public:
  /// Allocates the volume and fills it with zeros. Throws OutOfMemory.
  VoxelLines(Backend& backend, const VolumeGrid& grid);

  /// Copies the values from a volume [iz][iy][ix].
  void load(const float* volume);
  /// Copies the values to a volume [iz][iy][ix].
  void store(float* volume) const;

  /// Returns the padded voxel line (ix, iy); voxel iz is value iz + 1.
  float* line(int ix, int iy) { return values_.data() + offset(ix, iy); }
  const float* line(int ix, int iy) const { return values_.data() + offset(ix, iy); }

  /// Returns the number of values of a line, padding included.
  int line_length() const { return grid_.nz + row_padding; }

  static std::size_t bytes(const VolumeGrid& grid) {
    return sizeof(float) * (grid.voxels() / static_cast<std::size_t>(grid.nz)) *
           (static_cast<std::size_t>(grid.nz) + row_padding);
  }

 private:
  std::size_t offset(int ix, int iy) const {
    return (static_cast<std::size_t>(iy) * static_cast<std::size_t>(grid_.nx) +
            static_cast<std::size_t>(ix)) *
           static_cast<std::size_t>(line_length());
  }

  VolumeGrid grid_;
  Array values_;
};

}  // namespace gantry
