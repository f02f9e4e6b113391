#pragma once

// Kernels that trace single rays (arithmetic in trace_model.hpp). Block (32, 4), grid (columns,
// rows, views):
//
//   thread (tx, ty) of block (bx, by, bz) owns the ray of
//     column 32 bx + tx, row 4 by + ty, nth view bz
//
// trace_forward sums up the voxels along its ray; trace_adjoint adds the ray's value to the voxels
// by atomics. Shared memory is not used.
#include "gpu/projectors/siddon_joseph/trace_model.hpp"
#include "gpu/projectors/siddon_joseph/tuning.hpp"

namespace gantry::device {

/// Computes rays[view][row][column]. Block (32, 4), grid (columns, rows, views).
template <RayWeighting weights>
__global__ void __launch_bounds__(siddon_joseph::trace_threads)
    trace_forward(TraceScan scan, const float* __restrict__ volume, float* __restrict__ rays) {
  const int column = blockIdx.x * siddon_joseph::trace_columns + threadIdx.x,
            row = blockIdx.y * siddon_joseph::trace_rows + threadIdx.y;
  if (column >= scan.columns || row >= scan.rows) return;
  const int v = scan.view_index(blockIdx.z);
  rays[(static_cast<std::size_t>(v) * scan.rows + row) * scan.columns + column] =
      traced_sum<weights>(scan, volume, v, column, row);
}

/// Computes volume += transpose of the rays. Additions occur in no fixed order, so results differ
/// in the last digits between runs.
template <RayWeighting weights>
__global__ void __launch_bounds__(siddon_joseph::trace_threads)
    trace_adjoint(TraceScan scan, const float* __restrict__ rays, float* __restrict__ volume) {
  const int column = blockIdx.x * siddon_joseph::trace_columns + threadIdx.x,
            row = blockIdx.y * siddon_joseph::trace_rows + threadIdx.y;
  if (column >= scan.columns || row >= scan.rows) return;
  const int v = scan.view_index(blockIdx.z);
  const float value = rays[(static_cast<std::size_t>(v) * scan.rows + row) * scan.columns + column];
  if (value == 0) return;
  spread_ray<weights>(scan, value, v, column, row,
                      [&](std::size_t voxel, float part) { atomicAdd(volume + voxel, part); });
}

}  // namespace gantry::device
