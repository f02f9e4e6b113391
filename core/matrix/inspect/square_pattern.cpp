#include "core/matrix/inspect/square_pattern.hpp"

#include "core/base/parallel_errors.hpp"
#include "core/matrix/tiles/group_rows.hpp"
#include "core/matrix/tiles/sample_of_part.hpp"
#include "core/operator/row_norms.hpp"
#include "core/operator/slice_stack.hpp"

#include <algorithm>
#include <set>

namespace gantry {

namespace {

constexpr std::size_t groups_looked_at = 96, columns_looked_at = 48;

/// Returns the most blocks in any of some rows of blocks of the transpose: `side` pixels each,
/// whose shadows in all views are looked at.
std::size_t most_blocks_of_pixels(const Projector& slice, const BlockOrder& rays,
                                  const BlockOrder& pixels, std::size_t side) {
  const std::size_t blocks = (pixels.at.size() + side - 1) / side,
                    looked_at = std::min(blocks, columns_looked_at);
  const auto nx = static_cast<std::int32_t>(slice.grid().nx);
  std::vector<std::set<std::size_t>> seen(looked_at);
  CellWeights cells;
  for (int v = 0; v < slice.views() && !slice.interrupted(); ++v) {
    const auto view = require_row_source(slice).view_rows(v);
    const std::size_t first_ray = static_cast<std::size_t>(v) * slice.cells_per_view();
    for (std::size_t i = 0; i < looked_at; ++i) {
      const std::size_t first = sample_of_part(i, looked_at, blocks, 0) * side;
      for (std::size_t at = first; at < std::min(first + side, pixels.at.size()); ++at) {
        const std::int32_t pixel = pixels.at[at];
        if (pixel < 0) continue;
        view->voxel_weights(pixel % nx, pixel / nx, 0, cells);
        for (const std::size_t cell : cells.cell)
          seen[i].insert(static_cast<std::size_t>(rays.position[first_ray + cell]) / side);
      }
    }
  }
  std::size_t most = 0;
  for (const std::set<std::size_t>& one : seen) most = std::max(most, one.size());
  return most;
}

}  // namespace

double SquarePattern::bytes() const {
  const double of_weights = 2.0 * side, of_columns = 4.0 / side;  // bytes a block and matrix row
  return (of_weights + of_columns) * (rows * most_by_row + columns * most_by_column);
}

SquarePattern estimate_squares(const Projector& weights, const std::string& order, int side) {
  const auto slice = slice_of_stack(weights);
  const BlockOrderKind kind = block_order_kind(order);
  const BlockOrder rays = ray_order(slice->geometry(), kind),
                   pixels = pixel_order(slice->grid(), kind);
  const GroupRows rows(*slice, rays, pixels);
  const std::size_t groups = rays.at.size() / group_rays,
                    looked_at = std::min(groups, groups_looked_at);
  const std::uint32_t patches = static_cast<std::uint32_t>(side / patch_pixels);
  double most = 0;
  ParallelErrors errors;
#pragma omp parallel for schedule(dynamic) reduction(max : most)
  for (std::size_t i = 0; i < looked_at; ++i)
    errors.run([&] {
      if (slice->interrupted()) return;
      std::set<std::uint32_t> upper, lower;  // squares of rays 0-15, 16-31; side 32: all in upper
      for (const std::uint32_t entry : rows.entries(sample_of_part(i, looked_at, groups, 0))) {
        const std::uint32_t square = patch_of(entry) / patches, tiles = tiles_of(entry);
        if (side == group_rays || (tiles & 3U) != 0) upper.insert(square);
        if (side != group_rays && (tiles & 12U) != 0) lower.insert(square);
      }
      most = std::max(most, static_cast<double>(std::max(upper.size(), lower.size())));
    });
  errors.rethrow();
  slice->check_interrupt();
  SquarePattern found;
  found.side = side;
  found.rows = static_cast<double>(rays.at.size());
  found.columns = static_cast<double>((pixels.at.size() + side - 1) / side * side);
  found.most_by_row = most;
  found.most_by_column = static_cast<double>(std::max<std::size_t>(
      1, most_blocks_of_pixels(*slice, rays, pixels, static_cast<std::size_t>(side))));
  slice->check_interrupt();
  return found;
}

}  // namespace gantry
