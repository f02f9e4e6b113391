#pragma once

// Computes the rows or the columns of a matrix from a model of its rows (row_scan.hpp): a first
// kernel counts the nonzeros of each, and after a prefix sum a second kernel writes them. All
// blocks have 256 threads.
//
//   count_rows, fill_rows: a warp for each matrix row (ray); its lanes take a layer each, 32 layers
//   at a time
//
//     layer      0        1              31        32       33             63
//             [ lane 0 | lane 1 | ... | lane 31 ][ lane 0 | lane 1 | ... | lane 31 ] ...
//
//     A lane visits the pixels of its layer. In fill_rows a prefix sum over the lanes gives each
//     lane the offset of its entries, so that a ray's entries are ordered by layer and pixel.
//
//   count_columns, fill_columns: a thread for each matrix column (pixel)
//
//     thread i -> pixel (i % nx, i / nx): visits the rays that see it, by view and detector column
//
//   number_entries, transpose_entries: a thread for entries i, i + threads of the grid, ...
#include "gpu/device/block_shape.hpp"
#include "gpu/device/warp.cuh"
#include "gpu/matrix/rows/stored_row_model.hpp"

namespace gantry::device {

/// Counts the nonzeros of each matrix row.
template <class Model>
__global__ void __launch_bounds__(usual_threads)
    count_rows(Model model, std::int64_t* __restrict__ count) {
  const std::int64_t ray = blockIdx.x * std::int64_t{usual_warps} + threadIdx.x / 32;
  const int columns = model.scan.columns();
  if (ray >= std::int64_t{columns} * model.scan.views) return;
  const auto row = model.row(static_cast<int>(ray / columns), static_cast<int>(ray % columns));
  int mine = 0;
  for (int slice = lane_of_warp(); slice < model.scan.slices(row.along_y()); slice += 32) {
    const PixelSpan span = row.pixels(slice);
    for (int pixel = span.begin; pixel < span.end; ++pixel)
      mine += row.weight(slice, pixel) > 0 ? 1 : 0;
  }
  const int all = warp_sum(mine);
  if (lane_of_warp() == 0) count[ray] = all;
}

/// Writes the entries of each matrix row, in the order of the layers.
template <class Model>
__global__ void __launch_bounds__(usual_threads)
    fill_rows(Model model, const std::int64_t* __restrict__ start, int* __restrict__ index,
              float* __restrict__ weights) {
  const std::int64_t ray = blockIdx.x * std::int64_t{usual_warps} + threadIdx.x / 32;
  const int columns = model.scan.columns();
  if (ray >= std::int64_t{columns} * model.scan.views) return;
  const auto row = model.row(static_cast<int>(ray / columns), static_cast<int>(ray % columns));
  const int slices = model.scan.slices(row.along_y());
  std::int64_t at = start[ray];
  for (int first = 0; first < slices; first += 32) {
    const int slice = first + lane_of_warp();
    const PixelSpan span = slice < slices ? row.pixels(slice) : PixelSpan{0, 0};
    int mine = 0;
    for (int pixel = span.begin; pixel < span.end; ++pixel)
      mine += row.weight(slice, pixel) > 0 ? 1 : 0;
    const int upto = warp_prefix(mine);
    std::int64_t place = at + upto - mine;
    for (int pixel = span.begin; pixel < span.end; ++pixel) {
      const double weight = row.weight(slice, pixel);
      if (!(weight > 0)) continue;
      index[place] = model.scan.index(row.along_y(), slice, pixel);
      weights[place++] = static_cast<float>(weight);
    }
    at += __shfl_sync(whole_warp, upto, 31);
  }
}

/// Counts the nonzeros of each matrix column.
template <class Model>
__global__ void __launch_bounds__(usual_threads)
    count_columns(Model model, std::int64_t* __restrict__ count) {
  const int pixel = static_cast<int>(blockIdx.x * usual_threads + threadIdx.x);
  if (pixel >= model.scan.nx * model.scan.ny) return;
  int mine = 0;
  visit_pixel(model, pixel % model.scan.nx, pixel / model.scan.nx, [&](int, double) { ++mine; });
  count[pixel] = mine;
}

/// Writes the entries of each matrix column, ascending by matrix row.
template <class Model>
__global__ void __launch_bounds__(usual_threads)
    fill_columns(Model model, const std::int64_t* __restrict__ start, int* __restrict__ index,
                 float* __restrict__ weights) {
  const int pixel = static_cast<int>(blockIdx.x * usual_threads + threadIdx.x);
  if (pixel >= model.scan.nx * model.scan.ny) return;
  std::int64_t at = start[pixel];
  visit_pixel(model, pixel % model.scan.nx, pixel / model.scan.nx, [&](int row, double weight) {
    index[at] = row;
    weights[at++] = static_cast<float>(weight);
  });
}

// ---- Transposing a stored matrix

/// Writes entry[i] = i.
__global__ void number_entries(std::uint32_t* __restrict__ entry, std::int64_t count) {
  for (std::int64_t i = blockIdx.x * std::int64_t{blockDim.x} + threadIdx.x; i < count;
       i += std::int64_t{gridDim.x} * blockDim.x)
    entry[i] = static_cast<std::uint32_t>(i);
}

/// Writes the matrix row (found by bisection of `start`) and the weight of the entries in the order
/// of the transpose: entry[i] is the index in `from` of the transpose's entry i.
__global__ void transpose_entries(SparseRows from, std::int64_t rows,
                                  const std::uint32_t* __restrict__ entry, std::int64_t count,
                                  int* __restrict__ row, float* __restrict__ weight) {
  for (std::int64_t i = blockIdx.x * std::int64_t{blockDim.x} + threadIdx.x; i < count;
       i += std::int64_t{gridDim.x} * blockDim.x) {
    std::int64_t low = 0, high = rows;  // start[low] <= entry < start[high]
    while (high - low > 1) {
      const std::int64_t middle = (low + high) / 2;
      (from.start[middle] <= entry[i] ? low : high) = middle;
    }
    row[i] = static_cast<int>(low);
    weight[i] = from.weight[entry[i]];
  }
}

}  // namespace gantry::device
