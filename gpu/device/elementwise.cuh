// Elementwise operations on vectors, and their sums. If all operands have the same alignment, the
// aligned elements are read and written in quads (float4). All kernels have blocks of one
// dimension.
//
//   elements:  | head |  quad  |  quad  |  quad  | ... |  quad  | rest |
//   thread t of T (whole grid): quads t, t + T, t + 2 T, ..., and of the single elements in head
//                               and rest the t-th, (t + T)-th, ...
//
//   map_elements   each thread applies op to its elements
//   sum_elements   as above; each block reduces its sum to partial[block]; the block that ends
//                  last (counted by `ended`) adds up all of partial[]
//   add_partials   block n adds up partial[n count .. (n + 1) count - 1]; thread t takes every
//                  Threads-th number from t on
//
// Shared memory holds the storage of cub::BlockReduce alone (and the flag `last`).
#pragma once

#include <cstddef>
#include <cub/block/block_reduce.cuh>

namespace gantry::kernels {

/// An operand of an elementwise operation: read only, written only, or both.
struct In {
  const float* at;
};
struct Out {
  float* at;
};
struct InOut {
  float* at;
};

/// A vector of `count` elements, divided into `head` single elements before the first aligned one,
/// `quads` aligned groups of four, and the remaining single elements.
struct Split {
  std::size_t head, quads, count;
};

__device__ inline float load(In p, std::size_t i) { return p.at[i]; }
__device__ inline float load(InOut p, std::size_t i) { return p.at[i]; }
__device__ inline float load(Out, std::size_t) { return 0; }
__device__ inline void store(In, std::size_t, float) {}
__device__ inline void store(InOut p, std::size_t i, float v) { p.at[i] = v; }
__device__ inline void store(Out p, std::size_t i, float v) { p.at[i] = v; }

__device__ inline float4 load_quad(In p, std::size_t i) {
  return *reinterpret_cast<const float4*>(p.at + i);
}
__device__ inline float4 load_quad(InOut p, std::size_t i) {
  return *reinterpret_cast<const float4*>(p.at + i);
}
__device__ inline float4 load_quad(Out, std::size_t) { return float4{0, 0, 0, 0}; }
__device__ inline void store_quad(In, std::size_t, float4) {}
__device__ inline void store_quad(InOut p, std::size_t i, float4 v) {
  *reinterpret_cast<float4*>(p.at + i) = v;
}
__device__ inline void store_quad(Out p, std::size_t i, float4 v) {
  *reinterpret_cast<float4*>(p.at + i) = v;
}

template <class Op, class... Operands>
__device__ void visit(const Op& op, double& sum, std::size_t i, Operands... p) {
  const auto apply = [&](auto... v) {
    op(sum, v...);
    (store(p, i, v), ...);
  };
  apply(load(p, i)...);
}

template <class Op, class... Operands>
__device__ void visit_quad(const Op& op, double& sum, std::size_t i, Operands... p) {
  const auto apply = [&](auto... v) {
    op(sum, v.x...);
    op(sum, v.y...);
    op(sum, v.z...);
    op(sum, v.w...);
    (store_quad(p, i, v), ...);
  };
  apply(load_quad(p, i)...);
}

/// Calls op(sum, elements...) for the elements of this thread; returns the thread's sum.
template <class Op, class... Operands>
__device__ double sweep(const Op& op, Split split, Operands... p) {
  const std::size_t thread = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x,
                    threads = static_cast<std::size_t>(gridDim.x) * blockDim.x;
  double sum = 0;
  for (std::size_t q = thread; q < split.quads; q += threads)
    visit_quad(op, sum, split.head + 4 * q, p...);
  const std::size_t aligned = 4 * split.quads, single = split.count - aligned;
  for (std::size_t s = thread; s < single; s += threads)
    visit(op, sum, s < split.head ? s : s + aligned, p...);
  return sum;
}

constexpr int elementwise_threads = 256;

template <class Op, class... Operands>
__global__ void __launch_bounds__(elementwise_threads)
    map_elements(Op op, Split split, Operands... p) {
  sweep(op, split, p...);
}

/// Computes the sum of op over all elements in two passes: a partial sum per block, then the sum of
/// the partial sums by the block that ends last. The order of the additions is always the same.
/// `ended` must be 0 and is 0 again afterwards.
template <class Op, class... Operands>
__global__ void __launch_bounds__(elementwise_threads)
    sum_elements(Op op, Split split, double* partial, unsigned* ended, double* result,
                 Operands... p) {
  using Reduce = cub::BlockReduce<double, elementwise_threads>;
  __shared__ typename Reduce::TempStorage storage;
  __shared__ bool last;
  const double total = Reduce(storage).Sum(sweep(op, split, p...));
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = total;
    __threadfence();
    last = atomicAdd(ended, 1U) == gridDim.x - 1;
  }
  __syncthreads();
  if (!last) return;
  double sum = 0;
  for (unsigned i = threadIdx.x; i < gridDim.x; i += elementwise_threads)
    sum += __ldcg(partial + i);
  const double whole = Reduce(storage).Sum(sum);
  if (threadIdx.x > 0) return;
  *result = whole;
  *ended = 0;
}

/// Block n adds up the `count` numbers from partial[n count] on, always in the same order.
template <int Threads>
__global__ void __launch_bounds__(Threads)
    add_partials(const double* partial, int count, double* result) {
  using Reduce = cub::BlockReduce<double, Threads>;
  __shared__ typename Reduce::TempStorage storage;
  double sum = 0;
  partial += static_cast<std::size_t>(blockIdx.x) * static_cast<std::size_t>(count);
  for (int i = static_cast<int>(threadIdx.x); i < count; i += Threads) sum += partial[i];
  const double total = Reduce(storage).Sum(sum);
  if (threadIdx.x == 0) result[blockIdx.x] = total;
}

}  // namespace gantry::kernels
