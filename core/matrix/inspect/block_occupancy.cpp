#include "core/matrix/inspect/block_occupancy.hpp"

#include "core/base/parallel_errors.hpp"
#include "core/matrix/tiles/group_rows.hpp"
#include "core/matrix/tiles/sample_of_part.hpp"

#include <algorithm>

namespace gantry {

BlockOccupancy block_occupancy(const Projector& slice, BlockOrderKind order, int block_rays,
                               int width, int height, int groups_of_row) {
  const BlockOrder rays = ray_order(slice.geometry(), order),
                   pixels = pixel_order(slice.grid(), order);
  const GroupRows rows_of(slice, rays, pixels);
  const std::size_t groups = rays.at.size() / group_rays, patches = pixels.at.size() / patch_pixels,
                    columns = std::min(static_cast<std::size_t>(width), patches),
                    rows = std::min(static_cast<std::size_t>(height), groups);
  const int blocks_of_group = group_rays / block_rays, tiles_of_block = block_rays / tile_rays;
  BlockOccupancy image{static_cast<int>(columns), static_cast<int>(rows),
                       std::vector<float>(columns * rows, 0.0F)};
  ParallelErrors errors;
#pragma omp parallel for schedule(dynamic)
  for (std::size_t row = 0; row < rows; ++row)
    errors.run([&] {
      if (slice.interrupted()) return;
      const std::size_t first = part_begin(row, rows, groups),
                        count = part_begin(row + 1, rows, groups) - first,
                        looked_at = std::min(count, static_cast<std::size_t>(groups_of_row));
      std::vector<double> met(columns, 0.0);
      for (std::size_t i = 0; i < looked_at; ++i)
        for (const std::uint32_t entry :
             rows_of.entries(first + sample_of_part(i, looked_at, count, row)))
          met[std::size_t{patch_of(entry)} * columns / patches] +=
              std::popcount(stored_tiles(tiles_of(entry), block_rays)) / tiles_of_block;
      for (std::size_t column = 0; column < columns; ++column) {
        // Patches p with floor(p columns / patches) = column.
        const auto begin = [&](std::size_t c) { return (c * patches + columns - 1) / columns; };
        const auto blocks =
            static_cast<double>((begin(column + 1) - begin(column)) * looked_at) * blocks_of_group;
        image.share[row * columns + column] = static_cast<float>(met[column] / blocks);
      }
    });
  errors.rethrow();
  slice.check_interrupt();
  return image;
}

}  // namespace gantry
