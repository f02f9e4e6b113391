#pragma once

// Sums over single columns of A, see core/operator/column_access.hpp. A Model gives the weights of
// voxels that lie above each other:
//   Model::deep, the number of voxels that lie above each other and are worth visiting together
//   model.views()
//   model.visit_columns(ix, iy, first iz, step, count, view, use(k, RayCell, weight))
// with k = 0 .. count - 1 the number of the voxel first iz + k step, so that what the view's
// projections of these voxels have in common is computed once. All kernels have blocks of 128
// threads and a grid of one dimension.
//
//   kernel            a group of Lanes threads (1 or 32) owns up to Deep voxels of the lattice that
//                     lie above each other
//   column_sums       each lane adds up the views lane, lane + Lanes, ...; the first lane writes
//   column_update     likewise; the first lane changes the voxels; each block adds up the
//                     squares of its changes (shared memory: the storage of cub::BlockReduce)
//   column_add        each lane adds to the rays of its views, by atomics
#include "gpu/access/lattice.hpp"
#include "gpu/access/ray_cell.hpp"
#include "gpu/device/elementwise.cuh"
#include "gpu/device/warp.cuh"

namespace gantry::device {

constexpr int column_threads_of_block = 128;

/// The voxels of this thread's group; none (count 0) for groups beyond the lattice.
template <int Lanes, int Deep>
__device__ LatticeVoxels voxels_of_group(const Lattice& lattice) {
  return lattice_voxels<Deep>(
      lattice, (blockIdx.x * std::int64_t{column_threads_of_block} + threadIdx.x) / Lanes);
}

/// Computes sum[k] = sum of term(cell, weight) over the rays that weigh voxel k, in every lane.
template <int Lanes, int Deep, class Model, class Term>
__device__ void column_sum(const Model& model, const LatticeVoxels& voxels, const Term& term,
                           float (&sum)[Deep]) {
#pragma unroll
  for (int k = 0; k < Deep; ++k) sum[k] = 0;
  for (int v = Lanes == 1 ? 0 : lane_of_warp(); v < model.views(); v += Lanes)
    model.template visit_columns<Deep>(
        voxels.ix, voxels.iy, voxels.iz, voxels.step, voxels.count, v,
        [&](int k, RayCell cell, float weight) { sum[k] += term(cell, weight); });
  if constexpr (Lanes > 1)
#pragma unroll
    for (int k = 0; k < Deep; ++k) sum[k] = warp_sum(sum[k]);
}

/// out_j = sum_i y_i a_ij, or with `squared` sum_i y_i a_ij^2; y null: 1.
template <int Lanes, int Deep, class Model>
__global__ void __launch_bounds__(column_threads_of_block)
    column_sums(Model model, Lattice lattice, const float* __restrict__ y, bool squared,
                float* __restrict__ out) {
  const LatticeVoxels voxels = voxels_of_group<Lanes, Deep>(lattice);
  if (voxels.count == 0) return;
  float sum[Deep];
  column_sum<Lanes, Deep>(
      model, voxels,
      [&](RayCell cell, float weight) {
        return (y != nullptr ? load(y + cell.ray) : 1.0F) * (squared ? weight * weight : weight);
      },
      sum);
  if (Lanes > 1 && lane_of_warp() != 0) return;
#pragma unroll
  for (int k = 0; k < Deep; ++k)
    if (k < voxels.count) out[voxels.index(k)] = sum[k];
}

/// y_i += factor sum_j a_ij x_j over the voxels of the lattice.
template <int Lanes, int Deep, class Model>
__global__ void __launch_bounds__(column_threads_of_block)
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
  for (int v = Lanes == 1 ? 0 : lane_of_warp(); v < model.views(); v += Lanes)
    model.template visit_columns<Deep>(voxels.ix, voxels.iy, voxels.iz, voxels.step, voxels.count,
                                       v, [&](int k, RayCell cell, float weight) {
                                         if (value[k] != 0.0F)
                                           atomicAdd(y + cell.ray, weight * value[k]);
                                       });
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
__global__ void __launch_bounds__(column_threads_of_block)
    column_update(Model model, Lattice lattice, ColumnStep step, float* __restrict__ x,
                  float* __restrict__ change, double* __restrict__ partial) {
  using Reduce = cub::BlockReduce<double, column_threads_of_block>;
  __shared__ typename Reduce::TempStorage storage;
  double square = 0;
  const LatticeVoxels voxels = voxels_of_group<Lanes, Deep>(lattice);
  if (voxels.count > 0) {
    float sum[Deep];
    column_sum<Lanes, Deep>(
        model, voxels,
        [&](RayCell cell, float weight) {
          const float weighted = load(step.residual + cell.ray) * weight;
          return step.weights != nullptr ? weighted * load(step.weights + cell.ray) : weighted;
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
