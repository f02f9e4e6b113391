#pragma once

// Coordinate descent within super-voxels, see ColumnAccess::descend(), after Sabne et al. (PPoPP
// 2017) and Wang et al. (SC 2016): a thread block holds the residuals of the rays that meet its
// super-voxel in shared memory, while its warps change the voxels.
//
//   step of the kernel   threads                        memory
//   1 rectangles         all: the rays of the eight     shared: a rectangle of cells for each view,
//                        corner voxels                  by atomics
//   2 offsets            warp 0                         shared: the rectangles, one after another
//   3 copies             a warp owns a view             residual -> shared, and -> `before`
//   4 steps              a warp owns up to Deep voxels  shared, by atomics; x
//                        that lie above each other
//   5 changes            a warp owns a view             shared less `before` -> residual, by
//                                                       atomics
//
// Rays outside the rectangles (those for which the shared memory does not suffice) are read and
// changed in the residual itself.
#include "gpu/access/columns.cuh"

namespace gantry::device {

constexpr int super_voxel_threads = 512, super_voxel_warps = super_voxel_threads / 32;

/// The super-voxels of a launch, and the scan whose rays they change.
struct SuperVoxelTask {
  const std::uint32_t* number;  ///< of each block's super-voxel, x first
  int side[3], along[3];        ///< voxels of a super-voxel; super-voxels along each axis
  int size[3];                  ///< voxels of the grid
  int views, columns;           ///< of the detector
  std::int64_t cells;           ///< of a view
  int capacity;                 ///< rays that a block can hold
  int skip_zeros;
};

/// The cells of a view that a block holds: a rectangle, whose rays begin at `offset`.
struct HeldCells {
  int first_column, last_column, first_row, last_row, offset;

  __device__ int columns() const { return last_column - first_column + 1; }
  __device__ int count() const {
    return last_column < first_column ? 0 : columns() * (last_row - first_row + 1);
  }
  __device__ bool holds(RayCell cell) const {
    return cell.column >= first_column && cell.column <= last_column && cell.row >= first_row &&
           cell.row <= last_row;
  }
};

/// The residuals that a block holds, and those that it does not.
struct HeldRays {
  const HeldCells* views;
  float *held, *residual;
  std::int64_t cells;
  int columns;

  /// Calls use(ray held in shared memory) or, for others, use(ray in the residual).
  template <class Use>
  __device__ void with(RayCell cell, const Use& use) const {
    const HeldCells view = views[cell.view];
    if (view.holds(cell))
      use(held + (view.offset + (cell.row - view.first_row) * view.columns() + cell.column -
                  view.first_column));
    else
      use(residual + cell.ray);
  }
  /// Calls use(ray, nth held ray) for the rays held, a warp for each view.
  template <class Use>
  __device__ void for_held(int count_of_views, const Use& use) const {
    for (int v = static_cast<int>(threadIdx.x) / 32; v < count_of_views; v += super_voxel_warps) {
      const HeldCells view = views[v];
      for (int k = lane_of_warp(); k < view.count(); k += 32) {
        const int row = view.first_row + k / view.columns(),
                  column = view.first_column + k % view.columns();
        use(v * cells + static_cast<std::int64_t>(row) * columns + column, view.offset + k);
      }
    }
  }
};

/// The voxels of a lattice that lie in a super-voxel: the first, and their number along each axis.
struct LatticeBox {
  int first[3], count[3];
};
__device__ inline LatticeBox lattice_box(const Lattice& lattice, const int (&corner)[3][2]) {
  LatticeBox box;
#pragma unroll
  for (int axis = 0; axis < 3; ++axis) {
    const int behind = corner[axis][0] - lattice.first[axis], stride = lattice.stride[axis];
    box.first[axis] =
        lattice.first[axis] + (behind > 0 ? (behind + stride - 1) / stride : 0) * stride;
    const int rest = corner[axis][1] - box.first[axis];
    box.count[axis] = rest >= 0 ? rest / stride + 1 : 0;
  }
  return box;
}

/// Sets corner[axis] = the first and the last voxel of a super-voxel along the axis.
__device__ inline void corners_of(const SuperVoxelTask& task, std::uint32_t number,
                                  int (&corner)[3][2]) {
  auto rest = static_cast<int>(number);
#pragma unroll
  for (int axis = 0; axis < 3; ++axis) {
    corner[axis][0] = rest % task.along[axis] * task.side[axis];
    corner[axis][1] = least(task.size[axis], corner[axis][0] + task.side[axis]) - 1;
    rest /= task.along[axis];
  }
}

/// Finds the rectangles of cells that the rays through a box of voxels meet, and their offsets.
template <class Model>
__device__ void find_held_cells(const Model& model, const SuperVoxelTask& task,
                                const int (&corner)[3][2], HeldCells* views) {
  constexpr int far = 1 << 30;
  for (int v = static_cast<int>(threadIdx.x); v < task.views; v += super_voxel_threads)
    views[v] = {far, -1, far, -1, 0};
  __syncthreads();
  for (int n = static_cast<int>(threadIdx.x); n < 8 * model.views(); n += super_voxel_threads)
    model.template visit_columns<1>(corner[0][n & 1], corner[1][n >> 1 & 1], corner[2][n >> 2 & 1],
                                    1, 1, n >> 3, [&](int, RayCell cell, float) {
                                      HeldCells& view = views[cell.view];
                                      atomicMin(&view.first_column, cell.column);
                                      atomicMax(&view.last_column, cell.column);
                                      atomicMin(&view.first_row, cell.row);
                                      atomicMax(&view.last_row, cell.row);
                                    });
  __syncthreads();
  if (threadIdx.x < 32) {
    int total = 0;
    for (int first = 0; first < task.views; first += 32) {
      const int v = first + lane_of_warp(), count = v < task.views ? views[v].count() : 0,
                end = total + warp_prefix(count);
      if (v < task.views) {
        views[v].offset = end - count;
        if (end > task.capacity) views[v].last_column = -1;
      }
      total = __shfl_sync(whole_warp, end, 31);
    }
  }
  __syncthreads();
}

/// *most = the largest number of rays that a super-voxel meets. A block for each super-voxel.
template <class Model>
__global__ void __launch_bounds__(super_voxel_threads)
    count_held_rays(Model model, SuperVoxelTask task, int* __restrict__ most) {
  extern __shared__ int shared[];
  auto* views = reinterpret_cast<HeldCells*>(shared);
  task.capacity = 1 << 30;
  int corner[3][2];
  corners_of(task, blockIdx.x, corner);
  find_held_cells(model, task, corner, views);
  if (threadIdx.x == 0)
    atomicMax(most, views[task.views - 1].offset + views[task.views - 1].count());
}

/// Calls use(group) for the groups of this warp, in an order in which groups of successive numbers
/// lie apart.
template <class Use>
__device__ void for_scattered_groups(int groups, const Use& use) {
  int step = static_cast<int>(0.618F * static_cast<float>(groups)) | 1;
  while (true) {
    int a = step, b = groups;
    while (b != 0) {
      const int rest = a % b;
      a = b;
      b = rest;
    }
    if (a == 1) break;
    ++step;
  }
  for (int g = static_cast<int>(threadIdx.x) / 32; g < groups; g += super_voxel_warps)
    use(static_cast<int>(static_cast<std::int64_t>(g) * step % groups));
}

/// Makes the steps of up to Deep voxels; the sum of the squared changes comes back in lane 0.
template <int Deep, class Model>
__device__ double descend_voxels(const Model& model, const LatticeVoxels& voxels,
                                 const ColumnStep& step, bool skip_zeros, const HeldRays& rays,
                                 float* __restrict__ x) {
  bool moves = !skip_zeros || step.slope == nullptr;
#pragma unroll
  for (int k = 0; k < Deep; ++k)
    moves = moves || (k < voxels.count &&
                      (x[voxels.index(k)] != 0.0F || step.slope[voxels.index(k)] != 0.0F));
  if (!moves) return 0;
  float sum[Deep] = {};
  sum_over_views<32>(model.views(), sum, [&](int v) {
    model.template visit_columns<Deep>(
        voxels.ix, voxels.iy, voxels.iz, voxels.step, voxels.count, v,
        [&](int k, RayCell cell, float weight) {
          float value = 0;
          rays.with(cell, [&](const volatile float* ray) { value = *ray; });
          if (step.weights != nullptr) value *= load(step.weights + cell.ray);
          sum[k] = fmaf(value, weight, sum[k]);
        });
  });
  float change[Deep];
  double square = 0;
  bool changes = false;
#pragma unroll
  for (int k = 0; k < Deep; ++k) {
    change[k] = 0;
    if (k >= voxels.count) continue;
    const std::size_t j = voxels.index(k);
    const float before = x[j], next = before + coordinate_change(step, j, sum[k], before);
    change[k] = next - before;
    square += static_cast<double>(change[k]) * change[k];
    changes = changes || change[k] != 0.0F;
  }
  __syncwarp();
  if (!changes) return 0;
  if (lane_of_warp() == 0)
#pragma unroll
    for (int k = 0; k < Deep; ++k)
      if (k < voxels.count) x[voxels.index(k)] += change[k];
  for (int v = lane_of_warp(); v < model.views(); v += 32)
    model.template visit_columns<Deep>(
        voxels.ix, voxels.iy, voxels.iz, voxels.step, voxels.count, v,
        [&](int k, RayCell cell, float weight) {
          if (change[k] == 0.0F) return;
          rays.with(cell, [&](float* ray) { atomicAdd(ray, -weight * change[k]); });
        });
  __syncwarp();
  return square;
}

/// A block makes the steps of the voxels of the lattice in its super-voxel. `before` holds
/// task.capacity floats for each block; partial[block] is the sum of the squared changes.
template <int Deep, class Model>
__global__ void __launch_bounds__(super_voxel_threads)
    descend_super_voxels(Model model, Lattice lattice, SuperVoxelTask task, ColumnStep step,
                         float* __restrict__ x, float* residual, float* __restrict__ before,
                         double* __restrict__ partial) {
  extern __shared__ int shared[];
  __shared__ double squares[super_voxel_warps];
  auto* views = reinterpret_cast<HeldCells*>(shared);
  auto* held = reinterpret_cast<float*>(views + task.views);
  float* own_before = before + blockIdx.x * static_cast<std::size_t>(task.capacity);
  int corner[3][2];
  corners_of(task, task.number[blockIdx.x], corner);
  const LatticeBox box = lattice_box(lattice, corner);
  find_held_cells(model, task, corner, views);
  const HeldRays rays{views, held, residual, task.cells, task.columns};
  rays.for_held(task.views, [&](std::int64_t ray, int nth) {
    held[nth] = own_before[nth] = __ldcg(residual + ray);
  });
  __syncthreads();
  double square = 0;
  const int deep = (box.count[2] + Deep - 1) / Deep, groups = box.count[0] * box.count[1] * deep;
  const std::size_t slice = static_cast<std::size_t>(task.size[0]) * task.size[1];
  if (groups > 0)
    for_scattered_groups(groups, [&](int group) {
      const int row = group / box.count[0], above = row / box.count[1] * Deep;
      const int ix = box.first[0] + group % box.count[0] * lattice.stride[0],
                iy = box.first[1] + row % box.count[1] * lattice.stride[1],
                iz = box.first[2] + above * lattice.stride[2];
      const LatticeVoxels voxels{ix,
                                 iy,
                                 iz,
                                 lattice.stride[2],
                                 least(Deep, box.count[2] - above),
                                 iz * slice + static_cast<std::size_t>(iy) * task.size[0] + ix,
                                 lattice.stride[2] * slice};
      square += descend_voxels<Deep>(model, voxels, step, task.skip_zeros != 0, rays, x);
    });
  if (lane_of_warp() == 0) squares[threadIdx.x / 32] = square;
  __syncthreads();
  rays.for_held(task.views, [&](std::int64_t ray, int nth) {
    if (const float change = held[nth] - own_before[nth]; change != 0.0F)
      atomicAdd(residual + ray, change);
  });
  if (threadIdx.x == 0) {
    double sum = 0;
    for (const double of_warp : squares) sum += of_warp;
    partial[blockIdx.x] = sum;
  }
}

}  // namespace gantry::device
