#include "core/projectors/distance_driven/distance_driven_2d.hpp"

#include "core/backend/cpu_backend.hpp"
#include "core/base/error.hpp"
#include "core/base/parallel_errors.hpp"
#include "core/projectors/distance_driven/dd_kernels.hpp"
#include "core/projectors/distance_driven/dd_rows.hpp"

#include <algorithm>
#include <cmath>

namespace gantry {

namespace {

constexpr int view_batch = 16;  // views whose tables are held at a time
constexpr int row_block = 16;   // image rows that one task owns in the transpose

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
    // No pixel may cover more than 2^31 units, or differences modulo 2^32 would be wrong.
    const double cells_per_pixel =
        std::min(static_cast<double>(cells), 1 / (table.smallest_scale() * narrowest) + 3);
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

}  // namespace

/// The data of one view for the transpose: its table, its rays and, if wanted, a view of ones.
struct DistanceDriven2d::AdjointView {
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

DistanceDriven2d::DistanceDriven2d(Backend& backend, std::shared_ptr<const ScanGeometry> geometry,
                                   const VolumeGrid& grid)
    : Projector(backend, geometry, grid), rows_(make_dd_rows(geometry, grid)) {
  for (int v = 0; v < views(); ++v) {
    const DdView table(this->geometry(), grid, v);  // throws if the view does not suit
    widest_pixels_ = std::max(widest_pixels_, table.largest_scale() * table.widest);
  }
}

DdPlane DistanceDriven2d::plane(const Layers& slices) const {
  const int nx = grid().nx;
  return slices.along_y ? DdPlane{slices.count, slices.width, nx, 1}
                        : DdPlane{slices.count, slices.width, 1, nx};
}

void DistanceDriven2d::run_tasks(int views, const std::function<void(const Task&)>& work) const {
  // Where there are many views, a task takes several; of few, a task takes a part of the columns of
  // each.
  const int batch = std::clamp(views / (4 * cpu_threads()), 1, view_batch);
  const int view_tasks = (views + batch - 1) / batch, columns = geometry().columns();
  const int parts = std::clamp(2 * cpu_threads() / std::max(view_tasks, 1), 1, columns);
  const auto cell = [=](int part) {
    return static_cast<int>(static_cast<long>(columns) * part / parts);
  };
  const int tasks = view_tasks * parts, group = 8 * cpu_threads();
  for (int first = 0; first < tasks; first += group) {
    const int last = std::min(tasks, first + group);
    ParallelErrors errors;
#pragma omp parallel for schedule(dynamic)
    for (int task = first; task < last; ++task)
      errors.run([&] {
        if (interrupted()) return;
        const int view = task / parts * batch, part = task % parts;
        work({view, std::min(views, view + batch), cell(part), cell(part + 1)});
      });
    errors.rethrow();
    check_interrupt();
  }
}

void DistanceDriven2d::do_adjoint(const Array& y, Array& x, ViewSubset subset) const {
  backend().fill(x, 0.0F);
  const int blocks = (grid().ny + row_block - 1) / row_block;
  for (int first = 0; first < subset.count; first += view_batch) {
    const int count = std::min(view_batch, subset.count - first);
    const AdjointViews views =
        adjoint_views(y.data(), {subset.view(first), subset.stride, count}, false);
    ParallelErrors errors;
#pragma omp parallel for schedule(dynamic)
    for (int block = 0; block < blocks; ++block)
      errors.run([&] {
        const int row = block * row_block;
        adjoint_rows(views, row, std::min(grid().ny, row + row_block),
                     x.data() + grid().index(0, row, 0), nullptr);
      });
    errors.rethrow();
    check_interrupt();
  }
}

/// Makes an update in two parallel regions: the forward product, then for each block of image rows
/// both sums and the update of the image. One view is so little work that starting further parallel
/// regions would take longer than the work.
UpdateNorms DistanceDriven2d::update_by_column_sums(Array& x, const Array& b,
                                                    const Array& row_weight,
                                                    const SubsetUpdate& update, Array& rays,
                                                    ViewSubset subset) const {
  UpdateNorms norms;
  norms.residual_square = residual_of(x, b, &row_weight, rays, subset);
  const AdjointViews views = adjoint_views(rays.data(), subset, true);
  check_interrupt();  // after this x changes and could not be restored
  const int blocks = (grid().ny + row_block - 1) / row_block;
  std::vector<double> changes(static_cast<std::size_t>(blocks));
  ParallelErrors errors;
#pragma omp parallel for schedule(dynamic)
  for (int block = 0; block < blocks; ++block)
    errors.run([&] {
      changes[static_cast<std::size_t>(block)] = update_rows(
          views, block * row_block, std::min(grid().ny, (block + 1) * row_block), update, x.data());
    });
  errors.rethrow();
  for (const double change : changes) norms.update_square += change;
  return norms;
}

class DistanceDriven2d::Sweep final : public SubsetSweep {
 public:
  Sweep(const DistanceDriven2d& A, Array row_weight, const SubsetUpdate& update)
      : SubsetSweep(A, std::move(row_weight), update), A_(A) {}

 private:
  UpdateNorms do_update(Array& x, const Array& b, ViewSubset subset) override {
    return update().by_column_sums()
               ? A_.update_by_column_sums(x, b, row_weight(), update(), rays(), subset)
               : update_by_products(x, b, subset);
  }

  const DistanceDriven2d& A_;
};

std::unique_ptr<SubsetSweep> DistanceDriven2d::make_subset_sweep(Array row_weight,
                                                                 const SubsetUpdate& update) const {
  return std::make_unique<Sweep>(*this, std::move(row_weight), update);
}

DistanceDriven2d::AdjointViews DistanceDriven2d::adjoint_views(const float* rays, ViewSubset subset,
                                                               bool with_ones) const {
  AdjointViews views(static_cast<std::size_t>(subset.count));
  ParallelErrors errors;
#pragma omp parallel for schedule(dynamic) if (subset.count > 1)
  for (int i = 0; i < subset.count; ++i)
    errors.run([&] {
      const int view = subset.view(i);
      views[static_cast<std::size_t>(i)] = std::make_unique<AdjointView>(
          geometry(), grid(), view, rays + static_cast<std::size_t>(view) * cells_per_view(),
          with_ones);
    });
  errors.rethrow();
  return views;
}

/// Adds the backprojection of the views to image rows first .. last - 1, which start at `image`; if
/// `ones` is not null, also that of views of ones to `ones`.
void DistanceDriven2d::adjoint_rows(const AdjointViews& views, int first, int last, float* image,
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

/// Sets x = max(x + relaxation * gradient / column sum, low) in some rows. Returns the squared norm
/// of the change.
double DistanceDriven2d::update_rows(const AdjointViews& views, int first, int last,
                                     const SubsetUpdate& update, float* image) const {
  const std::size_t pixels =
      static_cast<std::size_t>(last - first) * static_cast<std::size_t>(grid().nx);
  std::vector<float> gradient(pixels, 0.0F), column_sum(pixels, 0.0F);
  adjoint_rows(views, first, last, gradient.data(), column_sum.data());
  return update.apply(image + grid().index(0, first, 0), gradient.data(), column_sum.data(),
                      pixels);
}

void require_countable_slices(const VolumeGrid& grid) {
  constexpr double largest_plane = 2147483647.0;
  if (static_cast<double>(grid.nx) * grid.ny > largest_plane)
    throw UsageError("a slice of " + std::to_string(grid.nx) + " x " + std::to_string(grid.ny) +
                         " voxels is too large",
                     "grid", "use at most 2147483647 pixels per slice, such as 46340 x 46340");
}

}  // namespace gantry
