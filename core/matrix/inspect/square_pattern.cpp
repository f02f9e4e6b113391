#include "core/matrix/inspect/square_pattern.hpp"

#include "core/base/parallel_errors.hpp"
#include "core/matrix/tiles/group_rows.hpp"
#include "core/matrix/tiles/sample_of_part.hpp"
#include "core/operator/slice_stack.hpp"

#include <algorithm>
#include <set>

namespace gantry {

namespace {

constexpr std::size_t groups_looked_at = 96;
/// Assumed ratio of the longest to the mean row of blocks of the transpose, for scans that see most
/// pixels in all views: a sample of the rays cannot give this ratio.
constexpr double longest_over_mean = 1.4;

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
  double all = 0, most = 0;
  ParallelErrors errors;
#pragma omp parallel for schedule(dynamic) reduction(+ : all) reduction(max : most)
  for (std::size_t i = 0; i < looked_at; ++i)
    errors.run([&] {
      if (slice->interrupted()) return;
      std::set<std::uint32_t> upper, lower;  // squares of rays 0-15, 16-31; side 32: all in upper
      for (const std::uint32_t entry : rows.entries(sample_of_part(i, looked_at, groups, 0))) {
        const std::uint32_t square = patch_of(entry) / patches, tiles = tiles_of(entry);
        if (side == group_rays || (tiles & 3U) != 0) upper.insert(square);
        if (side != group_rays && (tiles & 12U) != 0) lower.insert(square);
      }
      all += static_cast<double>(upper.size() + lower.size());
      most = std::max(most, static_cast<double>(std::max(upper.size(), lower.size())));
    });
  errors.rethrow();
  slice->check_interrupt();
  SquarePattern found;
  found.side = side;
  found.rows = static_cast<double>(rays.at.size());
  found.columns = static_cast<double>((pixels.at.size() + side - 1) / side * side);
  found.most_by_row = most;
  const double mean =
      all * static_cast<double>(groups) / static_cast<double>(looked_at) / (found.columns / side);
  found.most_by_column = std::min(std::max(1.0, longest_over_mean * mean), found.rows / side);
  return found;
}

}  // namespace gantry
