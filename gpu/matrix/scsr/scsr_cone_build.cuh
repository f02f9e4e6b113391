#pragma once

// Builds the stored views of a three-dimensional scan: the entries of the host's matrix rows are
// copied, sorted and cut into runs. Blocks have 256 threads.
//
//   place_view                  a warp for each cell of a view; its lanes take the cell's entries
//   key_by_orbit, key_by_ray,   a thread for entries i, i + threads of the grid, ...
//   lines_of_keys
//   count_runs, fill_runs       a thread for each list, whose entries it visits in order:
//
//     elements of the entries    e e e e e e e e  e e e            f f f f f
//     runs of 8 slots           [e e e e e e e e][e e e - - - - -][f f f f f - - -]   -: empty slot
//
//   A sort key is [ list | element: 4 bits ]. A list is an orbit and a block of views, or a stored
//   ray.
#include "gpu/device/block_shape.hpp"
#include "gpu/device/warp.cuh"
#include "gpu/matrix/rows/stored_row_model.hpp"
#include "gpu/matrix/scsr/scsr_cone.cuh"

namespace gantry::device {

/// The matrix rows of a stored view as the host computes them.
struct HostView {
  const std::uint32_t* start;  ///< [cell], and the end
  const int* voxel;
  const float* weight;
};

/// Copies the entries of a view to the positions of its rays' entries; voxels become orbit codes.
__global__ void __launch_bounds__(usual_threads)
    place_view(ConeRays rays, int view, HostView from, const std::uint32_t* __restrict__ code_of,
               const std::int64_t* __restrict__ start, std::uint32_t* __restrict__ code,
               int* __restrict__ ray_of, float* __restrict__ weight) {
  const int cell = static_cast<int>(blockIdx.x * usual_warps + threadIdx.x / 32);
  if (cell >= rays.rows * rays.columns) return;
  const std::int64_t ray = rays.number(view, cell / rays.columns, cell % rays.columns);
  const std::uint32_t begin = from.start[cell], count = from.start[cell + 1] - begin;
  for (std::uint32_t k = static_cast<unsigned>(lane_of_warp()); k < count; k += 32) {
    const std::int64_t to = start[ray] + k;
    code[to] = code_of[from.voxel[begin + k]];
    ray_of[to] = static_cast<int>(ray);
    weight[to] = from.weight[begin + k];
  }
}

/// Makes the sort keys of the order by orbits, and numbers the entries.
__global__ void key_by_orbit(ConeRays rays, const std::uint32_t* __restrict__ code,
                             const int* __restrict__ ray, std::int64_t count, int* __restrict__ key,
                             std::uint32_t* __restrict__ entry) {
  for (std::int64_t i = blockIdx.x * std::int64_t{usual_threads} + threadIdx.x; i < count;
       i += std::int64_t{gridDim.x} * usual_threads) {
    const std::uint32_t line = (code[i] >> 4U) * rays.blocks() + rays.block_of(ray[i]);
    key[i] = static_cast<int>(line << 4U | (code[i] & 15U));
    entry[i] = static_cast<std::uint32_t>(i);
  }
}

/// Makes the sort keys of the order by rays, for entries in another order.
__global__ void key_by_ray(const std::uint32_t* __restrict__ code, const int* __restrict__ ray,
                           const std::uint32_t* __restrict__ entry, std::int64_t count,
                           int* __restrict__ key) {
  for (std::int64_t i = blockIdx.x * std::int64_t{usual_threads} + threadIdx.x; i < count;
       i += std::int64_t{gridDim.x} * usual_threads)
    key[i] = static_cast<int>(static_cast<unsigned>(ray[entry[i]]) << 4U | (code[entry[i]] & 15U));
}

/// Replaces sort keys by the numbers of their lists.
__global__ void lines_of_keys(int* __restrict__ key, std::int64_t count) {
  for (std::int64_t i = blockIdx.x * std::int64_t{usual_threads} + threadIdx.x; i < count;
       i += std::int64_t{gridDim.x} * usual_threads)
    key[i] >>= 4;
}

/// Sorted entries, with the indices and elements that their lists store: orbits and elements in
/// lists of stored rays, stored rays and inverse elements in lists of orbits.
struct SortedEntries {
  const std::uint32_t *entry, *code;
  const int* ray;
  const float* weight;
  bool of_orbits;
  unsigned inverse[8];  ///< of the elements in the plane

  __device__ std::uint32_t place(std::int64_t i) const {
    return of_orbits ? static_cast<std::uint32_t>(ray[entry[i]]) : code[entry[i]] >> 4U;
  }
  __device__ unsigned element(std::int64_t i) const {
    const unsigned e = code[entry[i]] & 15U;
    return of_orbits ? inverse[e >> 1U] << 1U | (e & 1U) : e;
  }
};

/// Counts the runs of each list.
__global__ void __launch_bounds__(usual_threads)
    count_runs(SortedEntries entries, const std::int64_t* __restrict__ start, std::int64_t lines,
               std::int64_t* __restrict__ runs) {
  const std::int64_t line = blockIdx.x * std::int64_t{usual_threads} + threadIdx.x;
  if (line >= lines) return;
  RunCutter cutter;
  for (std::int64_t i = start[line]; i < start[line + 1]; ++i)
    cutter.add(entries.place(i), entries.element(i));
  runs[line] = cutter.runs;
}

/// Writes the runs of each list. The caller has set the slots to 0, which those that stay empty
/// remain.
template <bool Half>
__global__ void __launch_bounds__(usual_threads)
    fill_runs(SortedEntries entries, const std::int64_t* __restrict__ start, std::int64_t lines,
              const std::uint32_t* __restrict__ first_run, float per_unit,
              std::uint32_t* __restrict__ head, std::uint16_t* __restrict__ steps, void* weights) {
  const std::int64_t line = blockIdx.x * std::int64_t{usual_threads} + threadIdx.x;
  if (line >= lines) return;
  RunCutter cutter;
  for (std::int64_t i = start[line]; i < start[line + 1]; ++i) {
    const std::uint32_t place = entries.place(i);
    const bool begins = cutter.add(place, entries.element(i));
    const std::size_t run = std::size_t{first_run[line]} + cutter.runs - 1,
                      at = run * run_length + cutter.filled - 1;
    if (begins) head[run] = cutter.head;
    steps[at] = static_cast<std::uint16_t>(place - (cutter.head >> 4U));
    RunWeights<Half>::put(weights, at, entries.weight[entries.entry[i]] * per_unit);
  }
}

}  // namespace gantry::device
