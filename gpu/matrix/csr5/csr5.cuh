#pragma once

// CSR5 (Liu and Vinter, ICS 2015, 339), simplified: nonzeros row after row in tiles of 32 lanes by
// sigma entries. Lane l of tile t has nonzeros (t 32 + l) sigma + i, at (t sigma + i) 32 + l, so
// that lanes read side by side. A warp sums a tile up by segments: what a lane has of a row that
// goes on is handed from lane to lane, what a tile has is added to the row.
#include "gpu/device/warp.cuh"
#include "gpu/matrix/rows/row_selection.hpp"
#include "gpu/matrix/rows/stored_row_model.hpp"
#include "gpu/matrix/sweeps/sweep_model.hpp"

namespace gantry::device {

struct Csr5Tiles {
  int2* entry;       ///< index and weight; index -1: behind the last
  unsigned* begins;  ///< [tile][lane] bit i: entry i is the first of a row
  int* begun;        ///< [tile][lane] rows that have begun before the lane
  const int* row;    ///< those that are not empty
  int sigma;
  std::int64_t tiles;
};

/// As sweeps read them: rows by where their nonzeros begin, as CSR has them, in the places of
/// tiles.
struct Csr5Lines {
  static constexpr int together = 1;

  struct Line {
    const int2* entries;
    std::int64_t begin, row;
    int length, sigma;

    __device__ LineEntry entry(int e) const {
      const std::int64_t p = begin + e, lane = p / sigma;
      const int2 one = entries[(lane / 32 * sigma + p % sigma) * 32 + lane % 32];
      return {one.x, __int_as_float(one.y)};
    }
  };

  Csr5Tiles tiles;
  const std::int64_t* start;

  __device__ Line line(std::int64_t place) const {
    const std::int64_t begin = start[place];
    return {tiles.entry, begin, place, static_cast<int>(start[place + 1] - begin), tiles.sigma};
  }
};

/// A warp for each listed row; entries and bits have been cleared. Blocks of 256.
__global__ void __launch_bounds__(256)
    fill_csr5(SparseRows from, std::int64_t listed, Csr5Tiles to) {
  const std::int64_t nth = blockIdx.x * std::int64_t{8} + threadIdx.x / 32;
  if (nth >= listed) return;
  const int row = to.row[nth];
  const std::int64_t first = from.start[row], last = from.start[row + 1];
  for (std::int64_t p = first + lane_of_warp(); p < last; p += 32) {
    const std::int64_t lane = p / to.sigma;  // of all tiles
    const int i = static_cast<int>(p % to.sigma);
    to.entry[(lane / 32 * to.sigma + i) * 32 + lane % 32] =
        make_int2(from.index[p], __float_as_int(from.weight[p]));
    if (p == first) atomicOr(to.begins + lane, 1U << static_cast<unsigned>(i));
  }
}

/// Rows begun before each lane. A thread for each, blocks of 256.
__global__ void __launch_bounds__(256)
    count_begun(const std::int64_t* __restrict__ start, std::int64_t listed, Csr5Tiles to) {
  const std::int64_t lane = blockIdx.x * std::int64_t{256} + threadIdx.x;
  if (lane >= to.tiles * 32) return;
  std::int64_t low = 0, high = listed;  // rows that begin below the lane's first nonzero
  while (low < high) {
    const std::int64_t middle = (low + high) / 2;
    if (start[to.row[middle]] < lane * to.sigma)
      low = middle + 1;
    else
      high = middle;
  }
  to.begun[lane] = static_cast<int>(low);
}

/// out = 0 in the selected rows. Blocks of 256.
__global__ void __launch_bounds__(256) clear_rows(ViewRange rows, float* __restrict__ out) {
  const std::int64_t nth = blockIdx.x * std::int64_t{256} + threadIdx.x;
  if (nth < rows.rows()) out[rows.row(nth)] = 0;
}

/// Whether rows first .. last have some that are selected.
GANTRY_HD bool has_any(const ViewRange& rows, int first, int last) {
  for (std::int64_t row = first / rows.cells * std::int64_t{rows.cells}; row <= last;
       row += rows.cells)
    if (rows.has(row)) return true;
  return false;
}

/// A warp for each tile, blocks of 256. The selected rows have been cleared.
template <bool Filtered>
__global__ void __launch_bounds__(256)
    csr5_multiply(Csr5Tiles matrix, ViewRange rows, Operand<Filtered> in, float* __restrict__ out) {
  const std::int64_t tile = blockIdx.x * std::int64_t{8} + threadIdx.x / 32;
  if (tile >= matrix.tiles) return;
  const int lane = lane_of_warp();
  const unsigned begins = matrix.begins[tile * 32 + lane];
  const int before = matrix.begun[tile * 32 + lane];
  int begun = before;
  const int begun_last = __shfl_sync(whole_warp, before + __popc(begins), 31),
            begun_first = __shfl_sync(whole_warp, before, 0);
  if (!has_any(rows, matrix.row[begun_first > 0 ? begun_first - 1 : 0], matrix.row[begun_last - 1]))
    return;

  float sum = 0, head = 0;  // head: of the row that was begun before the lane
  const int2* at = matrix.entry + (tile * matrix.sigma * 32 + lane);
  for (int i = 0; i < matrix.sigma; ++i, at += 32) {
    if ((begins >> static_cast<unsigned>(i) & 1U) != 0) {
      if (begun == before)
        head = sum;
      else if (const int row = matrix.row[begun - 1]; rows.has(row))
        out[row] = sum;  // begins and ends in this lane
      sum = 0;
      ++begun;
    }
    const int2 one = __ldcs(at);
    if (one.x >= 0) sum = fmaf(__int_as_float(one.y), in.at(one.x), sum);
  }

  // Sums of the row that is open behind each lane, from where it began in the tile.
  bool closed = begins != 0;
#pragma unroll
  for (int step = 1; step < 32; step *= 2) {
    const float handed = __shfl_up_sync(whole_warp, sum, step);
    const bool handed_closed = __shfl_up_sync(whole_warp, closed, step);
    if (lane >= step && !closed) {
      sum += handed;
      closed = handed_closed;
    }
  }
  const float handed = __shfl_up_sync(whole_warp, sum, 1);
  if (begins != 0 && before > 0) {
    const int row = matrix.row[before - 1];
    if (rows.has(row)) atomicAdd(out + row, head + (lane > 0 ? handed : 0.0F));
  }
  if (lane == 31 && begun > 0) {
    const int row = matrix.row[begun - 1];
    if (rows.has(row)) atomicAdd(out + row, sum);
  }
}

}  // namespace gantry::device
