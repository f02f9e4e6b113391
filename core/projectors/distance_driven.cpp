// Distance-driven projection in 2D. For a cell with footprint [U_c, U_c+1] on slice k (pixel
// units),
//   p_c = sum_k length_c / (U_c+1 - U_c) * sum_i overlap([U_c, U_c+1], [i, i + 1]) * f_ki [mm *
//   1/mm]
// forward() sums overlaps cell by cell. The transpose works in edge (slope) space, where a cell's
// share of a pixel is an interval of the same table on every slice: with z_c = p_c length_c /
// (edge_c+1 - edge_c) and Z its integral, pixel [s, s'] receives Z(s') - Z(s). Both are exact; they
// differ by rounding only.
#include "core/projectors/distance_driven.hpp"

#include "core/backend/cpu_backend.hpp"
#include "core/base/error.hpp"
#include "core/projectors/dd_kernels.hpp"
#include "core/projectors/dd_rows.hpp"
#include "core/projectors/dd_view.hpp"
#include "core/projectors/distance_driven_3d.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

namespace gantry {

namespace {

constexpr int view_batch = 16;   // views whose tables are alive at once
constexpr int row_block = 16;    // image rows that one task owns in the transpose
constexpr int slice_block = 64;  // slices per pass of a batch of views: they stay in cache

/// Cell values of one view as a density over the edge table, with its prefix sums.
struct Density {
  std::vector<std::int32_t> sum;
  std::vector<float> density;
  float unit = 1;

  /// value(column) is the cell's value, by detector column.
  template <class Value>
  Density(const DdView& table, const Value& value) {
    const auto cells = static_cast<std::size_t>(table.cells());
    density.resize(cells);
    sum.resize(cells);
    float narrowest = table.widest, largest = 0;
    for (std::size_t c = 0; c < cells; ++c) {
      const float width = table.edge[c + 1] - table.edge[c];
      narrowest = std::min(narrowest, width);
      density[c] = value(table.column(c)) * table.length_mm[c] * table.inverse_width[c];
      largest = std::max(largest, std::abs(density[c]) * width);
    }
    // No pixel may cover more than 2^31 units, so that differences are right modulo 2^32.
    const double smallest_scale = std::min(
        table.scale_first, table.scale_first + (table.slices.count - 1) * table.scale_step);
    const double cells_per_pixel =
        std::min(static_cast<double>(cells), 1 / (smallest_scale * narrowest) + 3);
    const double to_units =
        largest > 0 && std::isfinite(largest) ? 1.0e9 / (largest * cells_per_pixel) : 0;
    unit = to_units > 0 ? static_cast<float>(1 / to_units) : 0;
    std::uint32_t running = 0;
    for (std::size_t c = 0; c < cells; ++c) {
      sum[c] = static_cast<std::int32_t>(running);
      const double whole =
          static_cast<double>(density[c]) * (table.edge[c + 1] - table.edge[c]) * to_units;
      running += static_cast<std::uint32_t>(static_cast<std::int32_t>(std::lrint(whole)));
    }
  }

  DdPrefix prefix() const { return {sum.data(), density.data(), unit}; }
};

/// What the transpose needs of one view: its table, its data, and where asked for a view of ones.
struct AdjointView {
  DdView table;
  Density data;
  std::optional<Density> ones;

  AdjointView(const ScanGeometry& geometry, const VolumeGrid& grid, int view, const float* values,
              bool with_ones)
      : table(geometry, grid, view),
        data(table, [values](std::size_t column) { return values[column]; }) {
    if (with_ones) ones.emplace(table, [](std::size_t) { return 1.0F; });
  }
};
using AdjointViews = std::vector<std::unique_ptr<AdjointView>>;

class DistanceDriven2d final : public Projector {
 public:
  DistanceDriven2d(Backend& backend, std::shared_ptr<const ScanGeometry> geometry,
                   const VolumeGrid& grid)
      : Projector(backend, geometry, grid), rows_(make_dd_rows(geometry, grid)) {
    for (int v = 0; v < views(); ++v)
      DdView(this->geometry(), grid, v);  // throws where a view does not suit
  }

  const RowSource* row_source() const override { return rows_.get(); }

 private:
  DdPlane plane(const Slices& slices) const {
    const int nx = grid().nx;
    return slices.along_y ? DdPlane{slices.count, slices.width, nx, 1}
                          : DdPlane{slices.count, slices.width, 1, nx};
  }

  void do_forward(const Array& x, Array& y, ViewSubset subset) const override {
    // Many views: a task takes some of them. Few: a task takes a part of the columns of each.
    const int batch = std::clamp(subset.count / (4 * cpu_threads()), 1, view_batch);
    const int view_tasks = (subset.count + batch - 1) / batch;
    const int column_tasks =
        std::clamp(2 * cpu_threads() / std::max(view_tasks, 1), 1, geometry().columns());
    const int tasks = view_tasks * column_tasks, group = 8 * cpu_threads();
    for (int first = 0; first < tasks; first += group) {
      const int last = std::min(tasks, first + group);
#pragma omp parallel for schedule(dynamic)
      for (int task = first; task < last; ++task) {
        if (interrupted()) continue;
        const int view = task / column_tasks * batch;
        forward_task(x.data(), y.data(), subset, view, std::min(subset.count, view + batch),
                     task % column_tasks, column_tasks);
      }
      give_way();
    }
  }

  void forward_task(const float* image, float* rays, ViewSubset subset, int first, int last,
                    int part, int parts) const {
    const int columns = geometry().columns();
    const int cell_first = static_cast<int>(static_cast<long>(columns) * part / parts);
    const int cell_last = static_cast<int>(static_cast<long>(columns) * (part + 1) / parts);
    std::vector<DdView> tables;
    tables.reserve(static_cast<std::size_t>(last - first));
    for (int i = first; i < last; ++i) tables.emplace_back(geometry(), grid(), subset.view(i));
    std::vector<float> sums(tables.size() * static_cast<std::size_t>(columns), 0.0F);
    for (const bool along_y : {true, false})
      add_slices(tables, along_y, image, cell_first, cell_last, sums.data());
    for (std::size_t i = 0; i < tables.size(); ++i) {
      const DdView& table = tables[i];
      float* out = rays + static_cast<std::size_t>(subset.view(first + static_cast<int>(i))) *
                              cells_per_view();
      const float* sum = sums.data() + i * static_cast<std::size_t>(columns);
      for (auto c = static_cast<std::size_t>(cell_first); c < static_cast<std::size_t>(cell_last);
           ++c)
        out[table.column(c)] = sum[c] * table.length_mm[c] * table.inverse_width[c];
    }
  }

  /// Adds every slice of one kind to the sums [table][cell] of the tables of that kind.
  void add_slices(const std::vector<DdView>& tables, bool along_y, const float* image,
                  int cell_first, int cell_last, float* sums) const {
    const auto views = std::ranges::count_if(
        tables, [=](const DdView& table) { return table.slices.along_y == along_y; });
    if (views == 0) return;
    const Slices slices = Slices::of(grid(), along_y);
    // Slices x = const lie across memory. For several views it pays to turn them once.
    const bool turned = !along_y && views >= 3;
    std::vector<float> buffer(turned ? static_cast<std::size_t>(slice_block) *
                                           static_cast<std::size_t>(slices.width)
                                     : 0);
    const DdPlane source =
        turned ? DdPlane{slices.count, slices.width, slices.width, 1} : plane(slices);
    for (int first = 0; first < slices.count; first += slice_block) {
      const int last = std::min(first + slice_block, slices.count);
      if (turned) turn_slices(image, first, last, buffer.data());
      const float* data =
          turned ? buffer.data() : image + static_cast<std::ptrdiff_t>(first) * source.slice_stride;
      for (std::size_t i = 0; i < tables.size(); ++i)
        if (tables[i].slices.along_y == along_y)
          dd_kernels().forward(tables[i].map(), source, data, first, last, cell_first, cell_last,
                               sums + i * static_cast<std::size_t>(geometry().columns()));
    }
  }

  /// out[k - first][iy] = image(k, iy)
  void turn_slices(const float* image, int first, int last, float* out) const {
    const std::size_t nx = static_cast<std::size_t>(grid().nx),
                      ny = static_cast<std::size_t>(grid().ny);
    for (std::size_t iy = 0; iy < ny; ++iy)
      for (int k = first; k < last; ++k)
        out[static_cast<std::size_t>(k - first) * ny + iy] =
            image[iy * nx + static_cast<std::size_t>(k)];
  }

  void do_adjoint(const Array& y, Array& x, ViewSubset subset) const override {
    backend().fill(x, 0.0F);
    const int blocks = (grid().ny + row_block - 1) / row_block;
    for (int first = 0; first < subset.count; first += view_batch) {
      const int count = std::min(view_batch, subset.count - first);
      const AdjointViews views =
          adjoint_views(y.data(), {subset.view(first), subset.stride, count}, false);
#pragma omp parallel for schedule(dynamic)
      for (int block = 0; block < blocks; ++block) {
        const int row = block * row_block;
        adjoint_rows(views, row, std::min(grid().ny, row + row_block),
                     x.data() + grid().index(0, row, 0), nullptr);
      }
      give_way();
    }
  }

  /// The whole correction in two parallel regions: forward, then row by row both sums and the
  /// update of the image. One view is so little work that anything more would be spent on starting
  /// threads.
  UpdateNorms do_weighted_update(Array& x, const Array& b, const Array& row_weight,
                                 const WeightedUpdate& update, UpdateScratch& scratch,
                                 ViewSubset subset) const override {
    UpdateNorms norms;
    do_forward(x, scratch.rays, subset);
    for (int i = 0; i < subset.count; ++i)
      norms.residual_square += backend().residual(
          b, scratch.rays, &row_weight, static_cast<std::size_t>(subset.view(i)) * cells_per_view(),
          cells_per_view());
    const AdjointViews views = adjoint_views(scratch.rays.data(), subset, true);
    give_way();  // from here to the end the image changes: no way back
    const int blocks = (grid().ny + row_block - 1) / row_block;
    std::vector<double> changes(static_cast<std::size_t>(blocks));
#pragma omp parallel for schedule(dynamic)
    for (int block = 0; block < blocks; ++block)
      changes[static_cast<std::size_t>(block)] = update_rows(
          views, block * row_block, std::min(grid().ny, (block + 1) * row_block), update, x.data());
    for (const double change : changes) norms.update_square += change;
    return norms;
  }

  AdjointViews adjoint_views(const float* rays, ViewSubset subset, bool with_ones) const {
    AdjointViews views(static_cast<std::size_t>(subset.count));
#pragma omp parallel for schedule(dynamic) if (subset.count > 1)
    for (int i = 0; i < subset.count; ++i) {
      const int view = subset.view(i);
      views[static_cast<std::size_t>(i)] = std::make_unique<AdjointView>(
          geometry(), grid(), view, rays + static_cast<std::size_t>(view) * cells_per_view(),
          with_ones);
    }
    return views;
  }

  /// Adds the views to image rows first .. last - 1, which start at `image`; with `ones` not null,
  /// also views of ones to that.
  void adjoint_rows(const AdjointViews& views, int first, int last, float* image,
                    float* ones) const {
    std::vector<float> scratch(10 * static_cast<std::size_t>(std::max(grid().nx, grid().ny)) + 4);
    const DdKernels& kernels = dd_kernels();
    for (const auto& view : views) {
      const auto adjoint =
          view->table.slices.along_y ? kernels.adjoint_along : kernels.adjoint_across;
      const DdPrefix data = view->data.prefix();
      const DdPrefix second = ones != nullptr ? view->ones->prefix() : DdPrefix{};
      adjoint(view->table.map(), view->table.locate, plane(view->table.slices), first, last, data,
              image, ones != nullptr ? &second : nullptr, ones, scratch.data());
    }
  }

  /// x = max(x + relaxation * gradient / column sum, low) on some rows; returns the squared norm of
  /// the change.
  double update_rows(const AdjointViews& views, int first, int last, const WeightedUpdate& update,
                     float* image) const {
    const std::size_t pixels =
        static_cast<std::size_t>(last - first) * static_cast<std::size_t>(grid().nx);
    std::vector<float> gradient(pixels, 0.0F), column_sum(pixels, 0.0F);
    adjoint_rows(views, first, last, gradient.data(), column_sum.data());
    float* x = image + grid().index(0, first, 0);
    double square = 0;
#pragma omp simd reduction(+ : square)
    for (std::size_t i = 0; i < pixels; ++i) {
      const float weight = column_sum[i] > update.smallest_column_sum ? 1.0F / column_sum[i] : 0.0F;
      const float updated = std::max(x[i] + update.relaxation * weight * gradient[i], update.low);
      const double change = static_cast<double>(updated) - x[i];
      square += change * change;
      x[i] = updated;
    }
    return square;
  }

  std::unique_ptr<RowSource> rows_;
};

}  // namespace

std::unique_ptr<Projector> make_distance_driven(Backend& backend,
                                                std::shared_ptr<const ScanGeometry> geometry,
                                                const VolumeGrid& grid, const Params&) {
  constexpr double largest_plane = 2147483647.0;
  if (static_cast<double>(grid.nx) * grid.ny > largest_plane)
    throw UsageError("a slice of " + std::to_string(grid.nx) + " x " + std::to_string(grid.ny) +
                         " voxels is too large",
                     "grid", "use at most 46340 x 46340");
  require_turning(*geometry, "the distance-driven projector");
  if (is_planar(*geometry, grid))
    return std::make_unique<DistanceDriven2d>(backend, std::move(geometry), grid);
  return make_distance_driven_3d(backend, std::move(geometry), grid);
}

}  // namespace gantry
