#pragma once

#include "core/data/volume.hpp"
#include "gpu/base/device_buffer.hpp"

namespace gantry {

/// A volume as lines of voxels along z, [iy][ix][iz], with `padding` zeros before and after each.
DeviceBuffer<float> voxel_columns(const CudaBackend& cuda, const VolumeGrid& grid, int padding,
                                  const float* volume);
std::size_t voxel_columns_size(const VolumeGrid& grid, int padding);

/// A single slice as [ix][iy].
DeviceBuffer<float> turned_image(const CudaBackend& cuda, const VolumeGrid& grid,
                                 const float* image);

}  // namespace gantry
