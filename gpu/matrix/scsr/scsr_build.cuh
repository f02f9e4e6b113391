#pragma once

// Builds the tiles of the stored views (scsr_tiles.cuh) from any model of rows (row_scan.hpp).
// Blocks have 256 threads.
//
//   find_segments                   a thread for each (tile, stored view)
//   count_segments, fill_segments   a warp for each (tile, stored view), 8 in a block; a lane for
//                                   each segment, 32 segments at a time. A lane visits the entries
//                                   of its segment, one after the other
#include "gpu/device/block_shape.hpp"
#include "gpu/device/warp.cuh"
#include "gpu/matrix/rows/stored_row_model.hpp"
#include "gpu/matrix/scsr/scsr_tiles.cuh"

namespace gantry::device {

/// Finds the detector columns whose rays can meet each tile: their number and the first of them.
template <class Model>
__global__ void __launch_bounds__(usual_threads)
    find_segments(Model model, TileGrid grid, std::int64_t* __restrict__ count,
                  int* __restrict__ first_column) {
  const int at = static_cast<int>(blockIdx.x * usual_threads + threadIdx.x);
  if (at >= grid.tiles * model.scan.views) return;
  const int tile = at / model.scan.views, v = at % model.scan.views;
  const ColumnRange seen =
      model.scan.seen_by(v, grid.left(tile), grid.right(tile), grid.bottom(tile), grid.top(tile));
  count[at] = most(seen.last - seen.first + 1, 0);
  first_column[at] = seen.first;
}

/// Counts the entries of each segment, the vectors that hold them, and the nonzeros of all; writes
/// the number of each segment and of its stored ray.
template <class Model>
__global__ void __launch_bounds__(usual_threads)
    count_segments(Model model, StoredTiles stored, std::int64_t* __restrict__ vectors,
                   std::uint16_t* __restrict__ length, unsigned long long* __restrict__ nonzeros,
                   int* __restrict__ row, std::uint32_t* __restrict__ segment_of) {
  const int at = static_cast<int>(blockIdx.x * usual_warps + threadIdx.x / 32);
  const TileGrid& grid = stored.grid;
  if (at >= grid.tiles * stored.views) return;
  const int tile = at / stored.views, v = at % stored.views;
  int all = 0;
  for (std::int64_t segment = stored.first[at] + lane_of_warp(); segment < stored.first[at + 1];
       segment += 32) {
    const int c = stored.column(at, segment);
    int entries = 0;
    visit_block(model.row(v, c), grid.left(tile), grid.right(tile), grid.bottom(tile),
                grid.top(tile), [&](int, int, double) { ++entries; });
    vectors[segment] = (entries + stored.vector - 1) / stored.vector;
    length[segment] = static_cast<std::uint16_t>(entries);
    all += entries;
    row[segment] = v * stored.columns + c;
    segment_of[segment] = static_cast<std::uint32_t>(segment);
  }
  all = warp_sum(all);
  if (lane_of_warp() == 0) atomicAdd(nonzeros, static_cast<unsigned long long>(all));
}

/// Writes the entries of each segment in the order that avoids bank conflicts (BankCounts), and
/// fills the last vector with the spare slot and weight 0.
template <bool Half, class Model>
__global__ void __launch_bounds__(usual_threads)
    fill_segments(Model model, StoredTiles stored, TileEntries<Half> entries, double per_unit) {
  const int at = static_cast<int>(blockIdx.x * usual_warps + threadIdx.x / 32);
  const TileGrid grid = stored.grid;
  if (at >= grid.tiles * stored.views) return;
  const int tile = at / stored.views, v = at % stored.views;
  for (std::int64_t segment = stored.first[at] + lane_of_warp(); segment < stored.first[at + 1];
       segment += 32) {
    const int c = stored.column(at, segment);
    const auto row = model.row(v, c);
    const std::int64_t begin = stored.begin(segment);
    const int length = stored.length(segment);
    constexpr int vector = TileEntries<Half>::vector;
    const auto visit = [&](const auto& use) {
      visit_block(row, grid.left(tile), grid.right(tile), grid.bottom(tile), grid.top(tile),
                  [&](int x, int y, double weight) { use(grid.place(tile, x, y), weight); });
    };
    BankCounts all, met;
    visit([&](int place, double) { all.add(place % 8); });
    visit([&](int place, double weight) {
      const int bank = place % 8, index = all.index_of(bank, met.of(bank));
      met.add(bank);
      entries.put(begin + position_of_read(index, length, vector), place, weight * per_unit);
    });
    for (int i = length; i % vector != 0; ++i) entries.put(begin + i, grid.spare_slot(), 0.0);
  }
}

}  // namespace gantry::device
