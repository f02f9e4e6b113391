#pragma once

// Sums over single columns of A, see core/operator/column_access.hpp. A Model gives the weights of
// voxels that lie above each other:
//   Model::deep, the number of voxels that lie above each other and are worth visiting together
//   model.views()
//   model.visit_columns(ix, iy, first iz, step, count, view, use(k, RayCell, weight))
// with k = 0 .. count - 1 the number of the voxel first iz + k step, so that what the view's
// projections of these voxels have in common is computed once. A model may also give (SharesCells)
//   Model::deep_of_thread, that number where one thread visits all views
//   Model::room_for<voxels>, the numbers of a thread that it needs room for in shared memory
//   model.gather<power>(ix, iy, first iz, step, count, view, value(RayCell), room, sum[])
//   model.spread(ix, iy, first iz, step, count, view, x[], room, add(RayCell, sum))
// which visit a cell that several of the voxels share once. Where a factor is common to all weights
// of a ray, a model may give (HasRayFactors)
//   model.factor(RayCell)
//   model.without_factors(), the model of the weights without the factor
// so that sums over many columns multiply the values of the rays by it beforehand. All kernels but
// scale_rays have blocks of 128 threads and a grid of one dimension.
//
//   kernel            a group of Lanes threads (1 or 32) owns up to Deep voxels of the lattice that
//                     lie above each other
//   column_sums       each lane adds up the views lane, lane + Lanes, ...; the first lane writes
//   column_update     likewise; the first lane changes the voxels; each block adds up the
//                     squares of its changes (shared memory: the storage of cub::BlockReduce)
//   column_add        each lane adds to the rays of its views, by atomics
//   scale_rays        a block owns a row of the detector in a view
#include "gpu/access/lattice.hpp"
#include "gpu/access/ray_cell.hpp"
#include "gpu/device/elementwise.cuh"
#include "gpu/device/warp.cuh"

namespace gantry::device {

constexpr int column_threads_of_block = 128;

template <class Model>
concept SharesCells = requires {
  Model::deep_of_thread;
};
template <class Model>
concept HasRayFactors = requires(const Model& model) {
  model.without_factors();
};
template <class Model>
constexpr int deep_of_thread() {
  if constexpr (SharesCells<Model>)
    return Model::deep_of_thread;
  else
    return Model::deep;
}

/// Blocks that a multiprocessor is to hold at least, by which the compiler limits the registers of
/// a thread: what is computed for many voxels at once would take so many that too few threads hide
/// the time that values need to arrive. 0 leaves the choice to the compiler; 1 would not, but allow
/// so many registers that ICD on Siddon's weights takes 112 ms instead of 103 (cumbir, H200).
template <class Model>
constexpr int column_blocks() {
  return SharesCells<Model> ? 8 : 0;
}

/// The room of this thread in shared memory, for `Deep` voxels above each other.
template <int Deep, class Model>
__device__ Room room_of_thread() {
  if constexpr (SharesCells<Model>) {
    constexpr int size = Model::template room_for<Deep>;
    __shared__ float numbers[size * column_threads_of_block];
    return {numbers + threadIdx.x, column_threads_of_block, size};
  } else {
    return {nullptr, 0, 0};
  }
}

/// sum[k] += sum of value(RayCell) a^Power over the cells of a view, with a the weight of voxel k.
template <int Power, int Deep, class Model, class Value>
__device__ void gather_view(const Model& model, const LatticeVoxels& voxels, int view,
                            const Value& value, const Room& room, float (&sum)[Deep]) {
  const auto& [ix, iy, iz, step, count, index, stride] = voxels;
  if constexpr (SharesCells<Model>)
    model.template gather<Power>(ix, iy, iz, step, count, view, value, room, sum);
  else
    model.template visit_columns<Deep>(
        ix, iy, iz, step, count, view, [&](int k, RayCell cell, float weight) {
          sum[k] = fmaf(value(cell), Power == 2 ? weight * weight : weight, sum[k]);
        });
}
/// Calls add(RayCell, sum or part of the sum of a_k x[k]) for the cells of a view, with a_k the
/// weight of voxel k.
template <int Deep, class Model, class Add>
__device__ void spread_view(const Model& model, const LatticeVoxels& voxels, int view,
                            const float (&x)[Deep], const Room& room, const Add& add) {
  const auto& [ix, iy, iz, step, count, index, stride] = voxels;
  if constexpr (SharesCells<Model>)
    model.spread(ix, iy, iz, step, count, view, x, room, add);
  else
    model.template visit_columns<Deep>(ix, iy, iz, step, count, view,
                                       [&](int k, RayCell cell, float weight) {
                                         if (x[k] != 0.0F) add(cell, weight * x[k]);
                                       });
}

/// The voxels of this thread's group; none (count 0) for groups beyond the lattice.
template <int Lanes, int Deep>
__device__ LatticeVoxels voxels_of_group(const Lattice& lattice) {
  return lattice_voxels<Deep>(
      lattice, (blockIdx.x * std::int64_t{column_threads_of_block} + threadIdx.x) / Lanes);
}

/// Calls gather(view), which adds to sum, for all views; the lanes of a warp divide these and have
/// the whole sum at the end.
template <int Lanes, int Deep, class Gather>
__device__ void sum_over_views(int views, float (&sum)[Deep], const Gather& gather) {
  for (int v = Lanes == 1 ? 0 : lane_of_warp(); v < views; v += Lanes) gather(v);
  if constexpr (Lanes > 1)
#pragma unroll
    for (int k = 0; k < Deep; ++k) sum[k] = warp_sum(sum[k]);
}
/// sum[k] += sum of value(RayCell) a^Power over the rays that weigh voxel k, in every lane.
template <int Lanes, int Power, int Deep, class Model, class Value>
__device__ void column_sum(const Model& model, const LatticeVoxels& voxels, const Value& value,
                           float (&sum)[Deep]) {
  const Room room = room_of_thread<Deep, Model>();
  sum_over_views<Lanes>(model.views(), sum,
                        [&](int v) { gather_view<Power>(model, voxels, v, value, room, sum); });
}

/// scaled_i = y_i w_i factor_i^Power; y or w null: 1.
template <int Power, class Model>
__global__ void scale_rays(Model model, int rows, int columns, const float* __restrict__ y,
                           const float* __restrict__ weights, float* __restrict__ scaled) {
  const int view = static_cast<int>(blockIdx.x) / rows, row = static_cast<int>(blockIdx.x) % rows;
  for (int c = static_cast<int>(threadIdx.x); c < columns; c += static_cast<int>(blockDim.x)) {
    const RayCell cell = ray_cell(view, row, c, rows, columns);
    const float factor = model.factor(cell);
    float value = Power == 2 ? factor * factor : factor;
    if (y != nullptr) value *= load(y + cell.ray);
    if (weights != nullptr) value *= load(weights + cell.ray);
    scaled[cell.ray] = value;
  }
}

/// out_j = sum_i y_i a_ij^Power; y null, of squares: 1.
template <int Power, int Lanes, int Deep, class Model>
__global__ void __launch_bounds__(column_threads_of_block, column_blocks<Model>())
    column_sums(Model model, Lattice lattice, const float* __restrict__ y,
                float* __restrict__ out) {
  const LatticeVoxels voxels = voxels_of_group<Lanes, Deep>(lattice);
  if (voxels.count == 0) return;
  float sum[Deep] = {};
  const auto value = [&](RayCell cell) {
    return Power == 1 || y != nullptr ? load(y + cell.ray) : 1.0F;
  };
  column_sum<Lanes, Power>(model, voxels, value, sum);
  if (Lanes > 1 && lane_of_warp() != 0) return;
#pragma unroll
  for (int k = 0; k < Deep; ++k)
    if (k < voxels.count) out[voxels.index(k)] = sum[k];
}

/// y_i += factor sum_j a_ij x_j over the voxels of the lattice.
template <int Lanes, int Deep, class Model>
__global__ void __launch_bounds__(column_threads_of_block, column_blocks<Model>())
    column_add(Model model, Lattice lattice, const float* __restrict__ x, float factor,
               float* __restrict__ y) {
  const LatticeVoxels voxels = voxels_of_group<Lanes, Deep>(lattice);
  if (voxels.count == 0) return;
  float value[Deep];
  bool changes = false;
#pragma unroll
  for (int k = 0; k < Deep; ++k) {
    value[k] = k < voxels.count ? factor * x[voxels.index(k)] : 0.0F;
    changes = changes || value[k] != 0.0F;
  }
  if (!changes) return;
  const Room room = room_of_thread<Deep, Model>();
  for (int v = Lanes == 1 ? 0 : lane_of_warp(); v < model.views(); v += Lanes)
    spread_view(model, voxels, v, value, room,
                [&](RayCell cell, float sum) { atomicAdd(y + cell.ray, sum); });
}

/// The operands of CoordinateStep.
struct ColumnStep {
  const float *residual, *weights, *curvature, *slope, *bend;  ///< weights, slope, bend may be null
  float lambda, relaxation, low;
};

__device__ inline float coordinate_change(const ColumnStep& step, std::size_t j, float sum,
                                          float x) {
  float slope = sum, curvature = step.curvature[j];
  if (step.slope != nullptr) slope -= step.lambda * step.slope[j];
  if (step.bend != nullptr) curvature += step.lambda * step.bend[j];
  if (!(curvature > 0.0F)) return 0.0F;
  return fmaxf(x + step.relaxation * slope / curvature, step.low) - x;
}

/// Changes the voxels of the lattice; partial[block] is the sum of the squared changes.
template <int Lanes, int Deep, class Model>
__global__ void __launch_bounds__(column_threads_of_block, column_blocks<Model>())
    column_update(Model model, Lattice lattice, ColumnStep step, float* __restrict__ x,
                  float* __restrict__ change, double* __restrict__ partial) {
  using Reduce = cub::BlockReduce<double, column_threads_of_block>;
  __shared__ typename Reduce::TempStorage storage;
  double square = 0;
  const LatticeVoxels voxels = voxels_of_group<Lanes, Deep>(lattice);
  if (voxels.count > 0) {
    float sum[Deep] = {};
    column_sum<Lanes, 1>(
        model, voxels,
        [&](RayCell cell) {
          const float value = load(step.residual + cell.ray);
          return step.weights != nullptr ? value * load(step.weights + cell.ray) : value;
        },
        sum);
#pragma unroll
    for (int k = 0; k < Deep; ++k) {
      if (k >= voxels.count || (Lanes > 1 && lane_of_warp() != 0)) continue;
      const std::size_t j = voxels.index(k);
      const float before = x[j], next = before + coordinate_change(step, j, sum[k], before);
      x[j] = next;
      change[j] = next - before;
      square += static_cast<double>(next - before) * (next - before);
    }
  }
  const double total = Reduce(storage).Sum(square);
  if (threadIdx.x == 0) partial[blockIdx.x] = total;
}

}  // namespace gantry::device
