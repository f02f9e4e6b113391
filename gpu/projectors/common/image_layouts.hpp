#pragma once

#include "core/data/volume.hpp"
#include "gpu/base/device_buffer.hpp"

namespace gantry {

/// Returns the volume as voxel lines along z, [iy][ix][iz], with `padding` zeros before and after
/// each line; voxel_lines_size is the number of floats. Throws OutOfMemory.
DeviceBuffer<float> to_voxel_lines(const CudaBackend& cuda, const VolumeGrid& grid, int padding,
                                   const float* volume);
std::size_t voxel_lines_size(const VolumeGrid& grid, int padding);

/// Returns the second layout that the forward kernels of rays read in addition to the volume: if
/// the problem is planar, the slice as [ix][iy]; otherwise to_voxel_lines with
/// device::voxel_line_padding. forward_layout_size is the number of floats. Throws OutOfMemory.
DeviceBuffer<float> forward_layout(const CudaBackend& cuda, const VolumeGrid& grid, bool planar,
                                   const float* volume);
std::size_t forward_layout_size(const VolumeGrid& grid, bool planar);

}  // namespace gantry
