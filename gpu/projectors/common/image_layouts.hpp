#pragma once

#include "core/data/volume.hpp"
#include "gpu/base/device_buffer.hpp"

namespace gantry {

/// A volume as lines of voxels along z, [iy][ix][iz], with `padding` zeros before and after each.
DeviceBuffer<float> voxel_columns(const CudaBackend& cuda, const VolumeGrid& grid, int padding,
                                  const float* volume);
std::size_t voxel_columns_size(const VolumeGrid& grid, int padding);

/// What the forward kernels of lines read beside the volume itself: a single slice as [ix][iy]
/// where the problem is planar, else voxel_columns with device::column_padding.
DeviceBuffer<float> forward_layout(const CudaBackend& cuda, const VolumeGrid& grid, bool planar,
                                   const float* volume);
std::size_t forward_layout_size(const VolumeGrid& grid, bool planar);

}  // namespace gantry
