#pragma once

// Kernels of trace_model.hpp, a thread per ray.
#include "gpu/projectors/siddon_joseph/trace_model.hpp"

namespace gantry::device {

/// Block (32, 4), grid (columns, rows, views).
template <RayWeighting weights>
__global__ void __launch_bounds__(128)
    trace_forward(TraceScan scan, const float* __restrict__ volume, float* __restrict__ rays) {
  const int column = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 4 + threadIdx.y;
  if (column >= scan.columns || row >= scan.rows) return;
  const int v = scan.view_index(blockIdx.z);
  rays[(static_cast<std::size_t>(v) * scan.rows + row) * scan.columns + column] =
      traced_sum<weights>(scan, volume, v, column, row);
}

/// volume += the rays' values, spread. Sums come about in any order, and so differ in their last
/// digits from run to run.
template <RayWeighting weights>
__global__ void __launch_bounds__(128)
    trace_adjoint(TraceScan scan, const float* __restrict__ rays, float* __restrict__ volume) {
  const int column = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 4 + threadIdx.y;
  if (column >= scan.columns || row >= scan.rows) return;
  const int v = scan.view_index(blockIdx.z);
  const float value = rays[(static_cast<std::size_t>(v) * scan.rows + row) * scan.columns + column];
  if (value == 0) return;
  spread_ray<weights>(scan, value, v, column, row,
                      [&](std::size_t voxel, float part) { atomicAdd(volume + voxel, part); });
}

}  // namespace gantry::device
