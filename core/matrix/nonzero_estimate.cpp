#include "core/matrix/nonzero_estimate.hpp"

#include "core/base/even_samples.hpp"
#include "core/operator/row_norms.hpp"

#include <algorithm>
#include <numeric>

namespace gantry {

namespace {

constexpr std::size_t small_scan_rays = 4096;  // a scan with no more is taken whole

bool is_small(const Projector& weights) { return weights.range_size() <= small_scan_rays; }

/// Calls visit(view number in `views`, matrix row) for each of these rays.
template <class Visit>
void for_each_row(const Projector& weights, const std::vector<int>& views,
                  const std::vector<int>& columns, const std::vector<int>& rows,
                  const Visit& visit) {
  RowWeights row;
  for (std::size_t i = 0; i < views.size(); ++i) {
    const auto view = require_row_source(weights).view_rows(views[i]);
    for (const int r : rows)
      for (const int c : columns) {
        view->weights(c, r, row);
        visit(i, row);
      }
  }
}

/// Returns the numbers of nonzeros of all rows of the transpose.
std::vector<std::vector<std::uint32_t>> all_lines(const Projector& weights) {
  const ScanGeometry& scan = weights.geometry();
  const auto nx = static_cast<std::size_t>(weights.grid().nx);
  std::vector<std::vector<std::uint32_t>> lines(weights.domain_size() / nx,
                                                std::vector<std::uint32_t>(nx, 0));
  for_each_row(weights, middle_samples(scan.views(), scan.views()),
               middle_samples(scan.columns(), scan.columns()),
               middle_samples(scan.rows(), scan.rows()), [&](std::size_t, const RowWeights& row) {
                 for (const std::size_t voxel : row.voxel) ++lines[voxel / nx][voxel % nx];
               });
  return lines;
}

/// Returns the numbers of nonzeros of the rows of the transpose for these voxels, [line][voxel].
std::vector<std::vector<std::uint32_t>> lines_at(const Projector& weights,
                                                 const std::vector<int>& xs,
                                                 const std::vector<int>& ys,
                                                 const std::vector<int>& zs) {
  std::vector<std::vector<std::uint32_t>> lines(ys.size() * zs.size(),
                                                std::vector<std::uint32_t>(xs.size(), 0));
  CellWeights cells;
  for (int v = 0; v < weights.views(); ++v) {
    const auto view = require_row_source(weights).view_rows(v);
    std::size_t line = 0;
    for (const int z : zs)
      for (const int y : ys) {
        for (std::size_t i = 0; i < xs.size(); ++i) {
          view->voxel_weights(xs[i], y, z, cells);
          lines[line][i] += static_cast<std::uint32_t>(cells.size());
        }
        ++line;
      }
  }
  return lines;
}

/// Samples an image by 24 lines with 24 voxels each, a volume by 9 x 9 lines with 9 voxels. As many
/// voxels again, with those of the rim, are looked at for the longest row: next to the source, or
/// in the middle, voxels meet most rays.
GroupLengths lengths_of_lines(const Projector& weights) {
  const VolumeGrid& grid = weights.grid();
  const bool in_plane = grid.nz == 1;
  GroupLengths found{static_cast<std::size_t>(grid.ny) * static_cast<std::size_t>(grid.nz),
                     static_cast<std::size_t>(grid.nx)};
  if (is_small(weights)) {
    found.some = all_lines(weights);
  } else {
    const int most = in_plane ? 24 : 9;
    found.some = lines_at(weights, middle_samples(grid.nx, most), middle_samples(grid.ny, most),
                          middle_samples(grid.nz, most));
    for (const auto& line :
         lines_at(weights, samples_to_the_ends(grid.nx, most), samples_to_the_ends(grid.ny, most),
                  samples_to_the_ends(grid.nz, most)))
      found.longest_of_others =
          std::max(found.longest_of_others, std::size_t{std::ranges::max(line)});
  }
  for (std::vector<std::uint32_t>& line : found.some) std::ranges::sort(line, std::greater<>{});
  return found;
}

}  // namespace

std::size_t GroupLengths::longest() const {
  std::size_t most = longest_of_others;
  for (const std::vector<std::uint32_t>& group : some)
    most = std::max(most, std::size_t{group.front()});
  return most;
}

double NonzeroEstimate::quantity(const std::string& name,
                                 const std::function<double()>& compute) const {
  const auto found = known->named.find(name);
  return found != known->named.end() ? found->second
                                     : known->named.emplace(name, compute()).first->second;
}

const GroupLengths& NonzeroEstimate::of_lines(const Projector& weights) const {
  if (known->of_lines.some.empty()) known->of_lines = lengths_of_lines(weights);
  return known->of_lines;
}

double NonzeroEstimate::longest_row(const Projector& weights) const {
  return quantity("longest row", [&] {
    const ScanGeometry& scan = weights.geometry();
    std::size_t most = of_views.longest();
    for_each_row(weights, middle_samples(scan.views(), 48),
                 middle_samples(scan.columns(), scan.rows() == 1 ? 64 : 16),
                 middle_samples(scan.rows(), 8),
                 [&](std::size_t, const RowWeights& row) { most = std::max(most, row.size()); });
    return static_cast<double>(most);
  });
}

NonzeroEstimate estimate_nonzeros(const Projector& weights) {
  constexpr int most_views = 8, most_of_line = 128, most_columns = 32, most_rows = 4;
  const ScanGeometry& scan = weights.geometry();
  NonzeroEstimate estimate{0, weights.range_size(), weights.domain_size(), weights.views()};
  estimate.of_views = {static_cast<std::size_t>(scan.views()), weights.cells_per_view()};
  const auto some = [&](int count, int most) {
    return middle_samples(count, is_small(weights) ? count : most);
  };
  const std::vector<int> views = some(scan.views(), most_views);
  std::vector<std::vector<std::uint32_t>>& lengths = estimate.of_views.some;
  lengths.resize(views.size());
  for_each_row(weights, views, some(scan.columns(), scan.rows() == 1 ? most_of_line : most_columns),
               some(scan.rows(), most_rows), [&](std::size_t view, const RowWeights& row) {
                 lengths[view].push_back(static_cast<std::uint32_t>(row.size()));
               });
  double sum = 0, rays = 0;
  for (std::vector<std::uint32_t>& view : lengths) {
    std::ranges::sort(view, std::greater<>{});
    sum = std::accumulate(view.begin(), view.end(), sum);
    rays += static_cast<double>(view.size());
  }
  estimate.nonzeros = sum / rays * static_cast<double>(estimate.rows);
  return estimate;
}

}  // namespace gantry
