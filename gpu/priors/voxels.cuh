// Loops over the voxels of a grid, and sums over voxels in an order that depends on the grid size
// alone. Block (32, 8) along (x, y); the grid may have fewer blocks than tiles along y and z.
//
//   thread (tx, ty) of block (bx, by, bz) visits the voxels
//     ix = 32 bx + tx
//     iy = 8 by + ty, + 8 gridDim.y, + 16 gridDim.y, ...
//     iz = bz, + gridDim.z, + 2 gridDim.z, ...
//
//   map_voxels   calls op for every voxel
//   sum_voxels   lets op add to Count sums per thread, which each block reduces (shared memory:
//                Count times the storage of cub::BlockReduce) to partial[sum][block]
#pragma once

#include <cub/block/block_reduce.cuh>

namespace gantry::kernels {

constexpr int voxel_tile_x = 32, voxel_tile_y = 8;

struct VoxelCounts {
  int nx, ny, nz;
};

/// Calls an operation for a voxel of a lattice, given the voxel's indices among those of the
/// lattice.
template <class Op>
struct OnLattice {
  Op op;
  int first_x, first_y, first_z, stride_x, stride_y, stride_z;
  __device__ void operator()(int x, int y, int z) const {
    op(first_x + x * stride_x, first_y + y * stride_y, first_z + z * stride_z);
  }
};

/// Calls body(ix, iy, iz) for the voxels of this thread.
template <class Body>
__device__ void for_voxels(VoxelCounts n, const Body& body) {
  const int ix = static_cast<int>(blockIdx.x) * voxel_tile_x + static_cast<int>(threadIdx.x),
            first = static_cast<int>(blockIdx.y) * voxel_tile_y + static_cast<int>(threadIdx.y);
  if (ix >= n.nx) return;
  for (int iz = static_cast<int>(blockIdx.z); iz < n.nz; iz += static_cast<int>(gridDim.z))
    for (int iy = first; iy < n.ny; iy += static_cast<int>(gridDim.y) * voxel_tile_y)
      body(ix, iy, iz);
}

template <class Op>
__global__ void __launch_bounds__(voxel_tile_x* voxel_tile_y) map_voxels(Op op, VoxelCounts n) {
  for_voxels(n, [&](int ix, int iy, int iz) { op(ix, iy, iz); });
}

/// Computes the partial sums of each block: partial[sum][block].
template <int Count, class Op>
__global__ void __launch_bounds__(voxel_tile_x* voxel_tile_y)
    sum_voxels(Op op, VoxelCounts n, double* partial) {
  using Reduce =
      cub::BlockReduce<double, voxel_tile_x, cub::BLOCK_REDUCE_WARP_REDUCTIONS, voxel_tile_y>;
  __shared__ typename Reduce::TempStorage storage[Count];
  double sums[Count] = {};
  for_voxels(n, [&](int ix, int iy, int iz) { op(ix, iy, iz, sums); });
  const std::size_t blocks = static_cast<std::size_t>(gridDim.x) * gridDim.y * gridDim.z,
                    block = (static_cast<std::size_t>(blockIdx.z) * gridDim.y + blockIdx.y) *
                                gridDim.x +
                            blockIdx.x;
  for (int k = 0; k < Count; ++k) {
    const double total = Reduce(storage[k]).Sum(sums[k]);
    if (threadIdx.x == 0 && threadIdx.y == 0) partial[k * blocks + block] = total;
  }
}

}  // namespace gantry::kernels
