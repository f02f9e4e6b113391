#pragma once

// How the stored zone is made, of any model of rows (row_scan.hpp).
#include "gpu/kernels/stored_row_model.hpp"
#include "gpu/kernels/warp.cuh"
#include "gpu/kernels/zone_tiles.cuh"

namespace gantry::device {

/// Columns whose rays can meet a tile. A thread for each tile and view.
template <class Model>
__global__ void __launch_bounds__(256)
    find_segments(Model model, TileGrid grid, std::int64_t* __restrict__ count,
                  int* __restrict__ first_column) {
  const int at = static_cast<int>(blockIdx.x * 256 + threadIdx.x);
  if (at >= grid.tiles * model.scan.views) return;
  const int tile = at / model.scan.views, v = at % model.scan.views;
  const ColumnRange seen =
      model.scan.seen_by(v, grid.left(tile), grid.right(tile), grid.bottom(tile), grid.top(tile));
  count[at] = most(seen.last - seen.first + 1, 0);
  first_column[at] = seen.first;
}

/// Entries of each segment, and the row that it belongs to. A warp for each tile and view.
template <class Model>
__global__ void __launch_bounds__(256)
    count_segments(Model model, ZoneTiles zone, std::int64_t* __restrict__ count,
                   int* __restrict__ row, std::uint32_t* __restrict__ segment_of) {
  const int at = static_cast<int>(blockIdx.x * 8 + threadIdx.x / 32);
  const TileGrid& grid = zone.grid;
  if (at >= grid.tiles * zone.views) return;
  const int tile = at / zone.views, v = at % zone.views;
  for (std::int64_t segment = zone.first[at] + lane_of_warp(); segment < zone.first[at + 1];
       segment += 32) {
    const int c = zone.first_column[at] + static_cast<int>(segment - zone.first[at]);
    int entries = 0;
    visit_block(model.row(v, c), grid.left(tile), grid.right(tile), grid.bottom(tile),
                grid.top(tile), [&](int, int, double) { ++entries; });
    count[segment] = entries;
    row[segment] = v * zone.columns + c;
    segment_of[segment] = static_cast<std::uint32_t>(segment);
  }
}

template <bool Half, class Model>
__global__ void __launch_bounds__(256)
    fill_segments(Model model, ZoneTiles zone, TileEntries<Half> entries, double per_unit) {
  const int at = static_cast<int>(blockIdx.x * 8 + threadIdx.x / 32);
  const TileGrid grid = zone.grid;
  if (at >= grid.tiles * zone.views) return;
  const int tile = at / zone.views, v = at % zone.views;
  for (std::int64_t segment = zone.first[at] + lane_of_warp(); segment < zone.first[at + 1];
       segment += 32) {
    const int c = zone.first_column[at] + static_cast<int>(segment - zone.first[at]);
    std::int64_t place = zone.start[segment];
    visit_block(model.row(v, c), grid.left(tile), grid.right(tile), grid.bottom(tile),
                grid.top(tile), [&](int x, int y, double weight) {
                  entries.put(place++, grid.place(tile, x, y), weight * per_unit);
                });
  }
}

}  // namespace gantry::device
