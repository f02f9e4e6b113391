#pragma once

#include "core/data/volume.hpp"
#include "core/projectors/common/padded_rows.hpp"

namespace gantry {

/// A volume with z running along memory, [iy][ix][iz]: what belongs to one detector column is then
/// one line. Lines are padded as siddon_joseph_kernels.hpp asks.
class ZColumns {
 public:
  /// All zero. Throws OutOfMemory.
  ZColumns(Backend& backend, const VolumeGrid& grid);

  /// Takes over the values of a volume [iz][iy][ix].
  void load(const float* volume);
  /// Writes them to a volume [iz][iy][ix].
  void store(float* volume) const;

  /// The padded line of a column of voxels; voxel iz is its value iz + 1.
  float* line(int ix, int iy) { return values_.data() + offset(ix, iy); }
  const float* line(int ix, int iy) const { return values_.data() + offset(ix, iy); }

  /// Values of a line, padding included.
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
