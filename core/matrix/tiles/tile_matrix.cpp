#include "core/matrix/tiles/tile_matrix.hpp"

#include "core/base/error.hpp"
#include "core/base/parallel_errors.hpp"
#include "core/matrix/half.hpp"
#include "core/matrix/rows/view_csr.hpp"
#include "core/operator/row_source.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <type_traits>

namespace gantry {

namespace {

template <class Weight>
class TileBuilder {
 public:
  TileBuilder(const Projector& slice, BlockOrder rays, BlockOrder pixels, int block_rays)
      : slice_(slice),
        block_rays_(block_rays),
        cells_(slice.cells_per_view()),
        scale_(static_cast<float>(1 / weight_unit(slice))) {
    matrix_.rays = std::move(rays);
    matrix_.pixels = std::move(pixels);
    views_.resize(static_cast<std::size_t>(slice.views()));
    const std::vector<int> views = views_of(matrix_.rays, slice.geometry());
    for_each_view_csr(
        slice, views,
        [&](std::size_t i, ViewCsr rows) {
          views_[static_cast<std::size_t>(views[i])] = std::move(rows);
        },
        rows_of(matrix_.rays, slice.geometry()));
  }

  TileMatrix<Weight> build() {
    const auto entries = entries_of_groups();
    number(entries);
    fill();
    index_patches();
    return std::move(matrix_);
  }

 private:
  using Entries = std::vector<std::vector<std::uint32_t>>;

  /// Calls visit(ray of the group, position of the pixel, weight) for the nonzeros of a group.
  template <class Visit>
  void visit_group(std::size_t group, const Visit& visit) const {
    for (std::size_t i = 0; i < group_rays; ++i) {
      const std::int32_t ray = matrix_.rays.at[group * group_rays + i];
      if (ray < 0) continue;
      const ViewCsr& view = views_[static_cast<std::size_t>(ray) / cells_];
      const std::size_t cell = static_cast<std::size_t>(ray) % cells_;
      for (std::size_t k = view.row_start[cell]; k < view.row_start[cell + 1]; ++k)
        if (const std::int32_t at = matrix_.pixels.position[view.column[k]]; at >= 0)
          visit(i, static_cast<std::uint32_t>(at), view.weight[k]);
    }
  }

  Entries entries_of_groups() const {
    Entries entries(matrix_.groups());
    ParallelErrors errors;
#pragma omp parallel for schedule(dynamic, 16)
    for (std::size_t group = 0; group < entries.size(); ++group)
      errors.run([&] {
        if (slice_.interrupted()) return;
        std::vector<std::vector<std::uint32_t>> patches(group_rays);
        visit_group(group, [&](std::size_t ray, std::uint32_t position, float) {
          patches[ray].push_back(position / patch_pixels);
        });
        entries[group] = tile_entries(patches);
        for (std::uint32_t& entry : entries[group])
          entry = tile_entry(patch_of(entry), stored_tiles(tiles_of(entry), block_rays_));
      });
    errors.rethrow();
    slice_.check_interrupt();
    return entries;
  }

  void number(const Entries& entries) {
    std::uint64_t tiles = 0;
    std::size_t count = 0;
    for (const auto& of_group : entries) count += of_group.size();
    for (auto* list : {&matrix_.entry, &matrix_.group_of, &matrix_.first_tile})
      list->reserve(count);
    matrix_.group_start.reserve(entries.size() + 1);
    matrix_.group_start.push_back(0);
    for (std::size_t group = 0; group < entries.size(); ++group) {
      for (const std::uint32_t entry : entries[group]) {
        matrix_.entry.push_back(entry);
        matrix_.group_of.push_back(static_cast<std::uint32_t>(group));
        matrix_.first_tile.push_back(static_cast<std::uint32_t>(tiles));
        tiles += static_cast<std::uint64_t>(std::popcount(tiles_of(entry)));
      }
      matrix_.group_start.push_back(matrix_.entry.size());
    }
    if (tiles > std::numeric_limits<std::uint32_t>::max())
      throw UsageError("BSR counts tiles in 32 bits", "format",
                       "use a smaller grid or fewer views");
    matrix_.weight.resize(tiles * tile_weights);
  }

  void fill() {
    std::uint64_t nonzeros = 0;
    ParallelErrors errors;
#pragma omp parallel for schedule(dynamic, 16) reduction(+ : nonzeros)
    for (std::size_t group = 0; group < matrix_.groups(); ++group)
      errors.run([&] {
        if (slice_.interrupted()) return;
        visit_group(group, [&](std::size_t ray, std::uint32_t position, float weight) {
          const std::size_t tile = tile_at(group, position / patch_pixels, ray / tile_rays);
          matrix_.weight[tile * tile_weights + ray % tile_rays * patch_pixels +
                         position % patch_pixels] = stored(weight);
          ++nonzeros;
        });
      });
    errors.rethrow();
    slice_.check_interrupt();
    matrix_.nonzeros = nonzeros;
  }

  std::size_t tile_at(std::size_t group, std::uint32_t patch, std::size_t tile) const {
    const auto begin = matrix_.entry.begin(),
               at = std::partition_point(
                   begin + static_cast<std::ptrdiff_t>(matrix_.group_start[group]),
                   begin + static_cast<std::ptrdiff_t>(matrix_.group_start[group + 1]),
                   [&](std::uint32_t entry) { return patch_of(entry) < patch; });
    return matrix_.first_tile[static_cast<std::size_t>(at - begin)] +
           static_cast<std::size_t>(std::popcount(tiles_of(*at) & ((1U << tile) - 1)));
  }

  Weight stored(float weight) const {
    if constexpr (std::is_same_v<Weight, float>)
      return weight;
    else
      return to_half(scale_ * weight);
  }

  void index_patches() {
    auto& start = matrix_.patch_start;
    start.assign(matrix_.patches() + 1, 0);
    for (const std::uint32_t entry : matrix_.entry) ++start[patch_of(entry) + 1];
    for (std::size_t p = 0; p < matrix_.patches(); ++p) start[p + 1] += start[p];
    matrix_.patch_entry.resize(matrix_.entry.size());
    std::vector<std::uint64_t> next(start.begin(), start.end() - 1);
    for (std::size_t e = 0; e < matrix_.entry.size(); ++e)
      matrix_.patch_entry[next[patch_of(matrix_.entry[e])]++] = static_cast<std::uint32_t>(e);
  }

  const Projector& slice_;
  int block_rays_;
  std::size_t cells_;
  float scale_;
  std::vector<ViewCsr> views_;
  TileMatrix<Weight> matrix_;
};

}  // namespace

double weight_unit(const Projector& slice) {
  if (definition_of(*slice.row_source()) == RowDefinition::area) return 1;
  const Vec3 spacing = slice.grid().spacing_mm;
  return std::exp2(std::ceil(std::log2(std::hypot(spacing.x, spacing.y))));
}

std::vector<int> views_of(const BlockOrder& rays, const ScanGeometry& geometry) {
  const auto cells = static_cast<std::int32_t>(geometry.cells());
  std::set<int> views;
  for (const std::int32_t ray : rays.at)
    if (ray >= 0) views.insert(ray / cells);
  return {views.begin(), views.end()};
}

int rows_of(const BlockOrder& rays, const ScanGeometry& geometry) {
  int last = 0;
  for (const std::int32_t ray : rays.at)
    if (ray >= 0) last = std::max(last, ray / geometry.columns() % geometry.rows());
  return last + 1;
}

template <class Weight>
TileMatrix<Weight> build_tiles(const Projector& slice, BlockOrderKind order, int block_rays) {
  return build_tiles<Weight>(slice, ray_order(slice.geometry(), order),
                             pixel_order(slice.grid(), order), block_rays);
}

template <class Weight>
TileMatrix<Weight> build_tiles(const Projector& slice, BlockOrder rays, BlockOrder pixels,
                               int block_rays) {
  try {
    return TileBuilder<Weight>(slice, std::move(rays), std::move(pixels), block_rays).build();
  } catch (const std::bad_alloc&) {
    throw OutOfMemory("the matrix", slice.workspace_bytes(), slice.backend().free_bytes());
  }
}

template TileMatrix<float> build_tiles(const Projector&, BlockOrder, BlockOrder, int);
template TileMatrix<std::uint16_t> build_tiles(const Projector&, BlockOrder, BlockOrder, int);
template TileMatrix<float> build_tiles(const Projector&, BlockOrderKind, int);
template TileMatrix<std::uint16_t> build_tiles(const Projector&, BlockOrderKind, int);

}  // namespace gantry
