#pragma once

#include "core/data/slice.hpp"
#include "gui/render/slice_camera.hpp"

#include <array>
#include <span>

namespace gantry {

/// The box around an object in a volume, mm, along x, y and z.
struct ObjectExtent {
  std::array<double, 3> low_mm{}, high_mm{};

  /// Returns the part of the cuts along an axis that holds the object.
  ObjectBox in(Axis axis) const;
};

/// Returns the box around the voxels above a tenth of the greatest value, with a margin; that of
/// the whole grid where no voxel is above 0. `values` are [iz][iy][ix].
ObjectExtent object_extent(const VolumeGrid& grid, std::span<const float> values);

}  // namespace gantry
