// In each layer (here: slice), a ray weighs at most two pixels: see siddon_joseph_kernels.hpp. A
// task of the forward product takes some views and reads all layers. A task of the transpose owns
// some layers and reads all views: first their rays that step through layers y = const, then the
// others.
#include "core/backend/cpu_backend.hpp"
#include "core/base/error.hpp"
#include "core/base/parallel_errors.hpp"
#include "core/operator/subset_sweep.hpp"
#include "core/projectors/common/layer_rows.hpp"
#include "core/projectors/siddon_joseph/plane_lines.hpp"
#include "core/projectors/siddon_joseph/siddon_joseph.hpp"
#include "core/projectors/siddon_joseph/siddon_joseph_kernels.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

namespace gantry {

namespace {

constexpr int forward_batch = 16;  // views for which a task reads the layers together
constexpr int adjoint_batch = 32;  // views whose tables are held at a time
constexpr int forward_block = 64;  // layers of a pass: they stay in cache
constexpr int few_views = 4;       // up to so many views are projected without a copy of all layers
constexpr int few_block = 32;      // layers that a task takes then
constexpr int adjoint_block = 8;   // layers that a task owns: their pairs fit the L1 cache

/// The intervals of one group of a view, as the kernels need them, with the rays' values in its
/// order.
struct Intervals {
  LineGroup lines;
  std::vector<float> inverse_length, step, value;
  std::vector<float> path_mm;  // for the transpose: a view of ones, as `value` is the data
  std::vector<double> length;

  Intervals(LineGroup group, RayWeighting weighting) : lines(std::move(group)) {
    const auto count = lines.column.size();
    inverse_length.resize(count);
    step.assign(lines.step.begin(), lines.step.end());
    value.assign(count, 0.0F);
    length.resize(count);
    for (std::size_t c = 0; c < count; ++c) {
      // A ray at right angles to the layers crosses one pixel; any short interval gives the same
      // weight.
      length[c] =
          weighting == RayWeighting::crossing ? std::max(std::abs(lines.step[c]), 1e-6) : 1.0;
      inverse_length[c] = static_cast<float>(1 / length[c]);
    }
  }

  /// Returns the intervals of lines first .. last - 1 for a block that begins with layer `slice`.
  /// `low` is memory for them.
  RayIntervals from_slice(int slice, int first, int last, std::vector<float>& low) const {
    const auto begin = static_cast<std::size_t>(first);
    low.resize(static_cast<std::size_t>(last - first));
    for (std::size_t i = 0; i < low.size(); ++i)
      low[i] = static_cast<float>(lines.start[begin + i] + slice * lines.step[begin + i] -
                                  0.5 * length[begin + i]);
    return {low.data(), step.data() + begin, inverse_length.data() + begin, last - first};
  }
};

/// How a product shares its views among tasks: where there are many views, a task takes `batch` of
/// them; of few, a task takes one of `parts` of the lines of each.
struct ForwardTasks {
  int batch, tasks, parts;
  ForwardTasks(int views, int columns)
      : batch(std::clamp(views / (4 * cpu_threads()), 1, forward_batch)),
        tasks((views + batch - 1) / batch),
        parts(std::clamp(2 * cpu_threads() / std::max(tasks, 1), 1, columns)) {}
  int views_at_once() const { return batch * (parts == 1 ? cpu_threads() : tasks); }
};

/// Views with their data, for the transpose.
using Loaded = std::vector<std::unique_ptr<Intervals>>;

class SiddonJoseph2d final : public Projector, public MakesSubsetSweeps {
 public:
  SiddonJoseph2d(Backend& backend, std::shared_ptr<const ScanGeometry> geometry,
                 const VolumeGrid& grid, RayWeighting weighting, std::unique_ptr<RowSource> rows)
      : Projector(backend, std::move(geometry), grid),
        weighting_(weighting),
        rows_(std::move(rows)) {}

  const RowSource* row_source() const override { return rows_.get(); }
  std::unique_ptr<SubsetSweep> make_subset_sweep(Array row_weight,
                                                 const SubsetUpdate& update) const override {
    return std::make_unique<Sweep>(*this, std::move(row_weight), update);
  }
  std::size_t workspace_bytes() const override {
    return siddon_joseph_2d_bytes(geometry(), grid());
  }

 private:
  Intervals intervals(int view, std::size_t kind) const {
    PlaneLines lines(geometry(), grid(), view);
    return {std::move(lines.groups[kind]), weighting_};
  }

  // ---- Forward

  void do_forward(const Array& x, Array& y, ViewSubset subset) const override {
    for (int i = 0; i < subset.count; ++i)  // a view may have all its lines in one group
      std::fill_n(y.data() + static_cast<std::size_t>(subset.view(i)) * cells_per_view(),
                  cells_per_view(), 0.0F);
    for (const std::size_t kind : {0, 1})
      if (subset.count <= few_views)
        forward_few(x.data(), y.data(), subset, kind);
      else
        forward_kind(x.data(), y.data(), subset, kind);
  }

  /// For a few views, each layer is used once per view: a task transposes some layers and projects
  /// all lines through them. Parts are added in the order of the layers, so that the result does
  /// not depend on the threads.
  void forward_few(const float* image, float* rays, ViewSubset subset, std::size_t kind) const {
    std::vector<Intervals> views;
    std::size_t lines = 0;
    for (int i = 0; i < subset.count; ++i) {
      views.push_back(intervals(subset.view(i), kind));
      lines += views.back().value.size();
    }
    if (lines == 0) return;
    const LayerRows layout(grid(), kind == 0);
    const Layers& slices = layout.slices();
    const int blocks = (slices.count + few_block - 1) / few_block;
    std::vector<float> parts(static_cast<std::size_t>(blocks) * lines, 0.0F);
    ParallelErrors errors;
#pragma omp parallel for schedule(dynamic)
    for (int block = 0; block < blocks; ++block)
      errors.run([&] {
        if (interrupted()) return;
        const int k = block * few_block, end = std::min(slices.count, k + few_block);
        const auto rows =
            layout.load_some_as<float>(image, k, end, [](float value) { return value; });
        std::vector<float> low;
        float* part = parts.data() + static_cast<std::size_t>(block) * lines;
        for (const Intervals& view : views) {
          siddon_joseph_kernels().forward(view.from_slice(k, 0, view.lines.count(), low),
                                          rows.data(), slices.width, end - k, part);
          part += view.value.size();
        }
      });
    errors.rethrow();
    std::size_t line = 0;
    for (int i = 0; i < subset.count; ++i) {
      Intervals& view = views[static_cast<std::size_t>(i)];
      for (float& value : view.value) {
        double sum = 0;
        for (std::size_t part = line++; part < parts.size(); part += lines) sum += parts[part];
        value = static_cast<float>(sum);
      }
      store(view, 0, 1, rays + static_cast<std::size_t>(subset.view(i)) * cells_per_view());
    }
  }

  std::vector<Intervals> intervals_of_task(ViewSubset subset, int task, int batch,
                                           std::size_t kind) const {
    std::vector<Intervals> views;
    for (int i = task * batch; i < std::min(subset.count, (task + 1) * batch); ++i)
      views.push_back(intervals(subset.view(i), kind));
    return views;
  }

  /// The tables of a view are as large as several rows of the image, so that a task makes those of
  /// its own views where it can.
  void forward_kind(const float* image, float* rays, ViewSubset subset, std::size_t kind) const {
    const LayerRows layout(grid(), kind == 0);
    const ForwardTasks plan(subset.count, geometry().columns());
    ParallelErrors errors;
    if (plan.parts == 1) {
      const std::vector<float> rows = layout.load(image);
#pragma omp parallel for schedule(dynamic)
      for (int task = 0; task < plan.tasks; ++task)
        errors.run([&] {
          if (interrupted()) return;
          auto views = intervals_of_task(subset, task, plan.batch, kind);
          forward_task(layout, rows.data(), views, 0, 1, rays, subset, task * plan.batch);
        });
    } else {
      std::vector<std::vector<Intervals>> views(static_cast<std::size_t>(plan.tasks));
#pragma omp parallel for schedule(dynamic)
      for (int task = 0; task < plan.tasks; ++task)
        errors.run([&] {
          views[static_cast<std::size_t>(task)] = intervals_of_task(subset, task, plan.batch, kind);
        });
      errors.rethrow();
      check_interrupt();
      if (!any_lines(views)) return;
      const std::vector<float> rows = layout.load(image);
#pragma omp parallel for schedule(dynamic) collapse(2)
      for (int task = 0; task < plan.tasks; ++task)
        for (int part = 0; part < plan.parts; ++part)
          errors.run([&] {
            if (!interrupted())
              forward_task(layout, rows.data(), views[static_cast<std::size_t>(task)], part,
                           plan.parts, rays, subset, task * plan.batch);
          });
    }
    errors.rethrow();
    check_interrupt();
  }

  static bool any_lines(const std::vector<std::vector<Intervals>>& views) {
    for (const auto& batch : views)
      for (const Intervals& view : batch)
        if (view.lines.count() > 0) return true;
    return false;
  }

  void forward_task(const LayerRows& layout, const float* rows, std::vector<Intervals>& views,
                    int part, int parts, float* rays, ViewSubset subset, int first_view) const {
    const Layers& slices = layout.slices();
    std::vector<float> low;
    for (int k = 0; k < slices.count; k += forward_block)
      for (Intervals& view : views) {
        const int begin = share(view.lines.count(), part, parts);
        siddon_joseph_kernels().forward(
            view.from_slice(k, begin, share(view.lines.count(), part + 1, parts), low),
            rows + layout.size(k), slices.width, std::min(forward_block, slices.count - k),
            view.value.data() + begin);
      }
    for (std::size_t i = 0; i < views.size(); ++i)
      store(views[i], part, parts,
            rays + static_cast<std::size_t>(subset.view(first_view + static_cast<int>(i))) *
                       cells_per_view());
  }

  static void store(const Intervals& view, int part, int parts, float* rays) {
    for (auto c = static_cast<std::size_t>(share(view.lines.count(), part, parts));
         c < static_cast<std::size_t>(share(view.lines.count(), part + 1, parts)); ++c)
      rays[view.lines.column[c]] =
          static_cast<float>(view.lines.length_mm[c] * static_cast<double>(view.value[c]));
  }

  /// Returns the begin of part `part`, if a list is cut into `parts` parts.
  static int share(int count, int part, int parts) {
    return static_cast<int>(static_cast<long>(count) * part / parts);
  }

  // ---- Transpose

  void do_adjoint(const Array& y, Array& x, ViewSubset subset) const override {
    backend().fill(x, 0.0F);
    for (int first = 0; first < subset.count; first += adjoint_batch) {
      const int count = std::min(adjoint_batch, subset.count - first);
      for (const std::size_t kind : {0, 1})
        adjoint_kind(y.data(), x.data(), {subset.view(first), subset.stride, count}, kind);
      check_interrupt();
    }
  }

  void adjoint_kind(const float* rays, float* image, ViewSubset subset, std::size_t kind) const {
    const Loaded views = load_all(rays, subset, kind);
    if (views.empty()) return;
    for_layer_blocks(kind, true, [&](const LayerRows& layout, int k, int end) {
      const LayerBlock block(layout, views, k, end, &Intervals::value);
      layout.add(
          k, end, [&](std::size_t place) { return block.at(place); }, image);
    });
  }

  /// Sums of the contributions of some views to some layers.
  class LayerBlock {
   public:
    LayerBlock(const LayerRows& layout, const Loaded& views, int first, int last,
               std::vector<float> Intervals::*values)
        : pairs_(layout.size(last - first), ValuePair{0, 0}) {
      std::vector<float> low;
      for (const auto& view : views)
        siddon_joseph_kernels().adjoint(view->from_slice(first, 0, view->lines.count(), low),
                                        ((*view).*values).data(), layout.slices().width,
                                        last - first, pairs_.data());
    }
    float at(std::size_t place) const { return pairs_[place].here + pairs_[place - 1].next; }

   private:
    std::vector<ValuePair> pairs_;
  };

  /// Runs work(layout, first, last) in parallel over blocks of layers of one kind.
  template <class Work>
  void for_layer_blocks(std::size_t kind, bool checks_interrupt, const Work& work) const {
    const LayerRows layout(grid(), kind == 0);
    const int count = layout.slices().count;
    ParallelErrors errors;
#pragma omp parallel for schedule(dynamic)
    for (int k = 0; k < count; k += adjoint_block)
      errors.run([&] {
        if (!checks_interrupt || !interrupted())
          work(layout, k, std::min(count, k + adjoint_block));
      });
    errors.rethrow();
  }

  // ---- Update

  /// Computes, block by block, the backprojections of the residuals and of a view of ones and
  /// updates the image by them: one view is so little work that passes over whole images would take
  /// half of the time. If views have lines of both kinds, the sums of kind 0 are stored in the
  /// scratch images.
  class Sweep final : public SubsetSweep {
   public:
    Sweep(const SiddonJoseph2d& A, Array row_weight, const SubsetUpdate& update)
        : SubsetSweep(A, std::move(row_weight), update), A_(A) {}

   private:
    UpdateNorms do_update(Array& x, const Array& b, ViewSubset subset) override {
      if (subset.count > few_views || !update().by_column_sums())
        return update_by_products(x, b, subset);
      UpdateNorms norms;
      norms.residual_square = A_.residual_of(x, b, &row_weight(), rays(), subset);
      const Loaded first = A_.load_all(rays().data(), subset, 0),
                   second = A_.load_all(rays().data(), subset, 1);
      const bool both = !first.empty() && !second.empty();
      const Sums sums{gradient().data(), column_weight().data()};
      if (both) A_.sum_kind(first, sums);
      A_.check_interrupt();  // after this x changes and could not be restored
      const std::size_t last = second.empty() ? 0 : 1;
      norms.update_square = A_.update_kind(last == 0 ? first : second, last, update(),
                                           both ? &sums : nullptr, x.data());
      return norms;
    }

    const SiddonJoseph2d& A_;
  };

  /// Images of sums over some views: backprojections of the residuals and of views of ones.
  struct Sums {
    float *gradient, *column_sum;
  };

  /// Computes the sums of the lines of kind 0.
  void sum_kind(const Loaded& views, const Sums& sums) const {
    float *gradient = sums.gradient, *column_sum = sums.column_sum;
    for_layer_blocks(0, true, [&](const LayerRows& layout, int k, int end) {
      const LayerBlock data(layout, views, k, end, &Intervals::value),
          ones(layout, views, k, end, &Intervals::path_mm);
      layout.for_pixels(k, end, [&](std::size_t pixel, std::size_t place) {
        gradient[pixel] = data.at(place);
        column_sum[pixel] = ones.at(place);
      });
    });
  }

  /// Updates the image from the lines of one kind, plus the sums of the other kind, if any. Returns
  /// the squared norm of the change.
  double update_kind(const Loaded& views, std::size_t kind, const SubsetUpdate& update,
                     const Sums* other, float* image) const {
    std::vector<double> changes(static_cast<std::size_t>(std::max(grid().nx, grid().ny)), 0.0);
    for_layer_blocks(kind, false, [&](const LayerRows& layout, int k, int end) {
      const LayerBlock data(layout, views, k, end, &Intervals::value),
          ones(layout, views, k, end, &Intervals::path_mm);
      std::vector<float> gradient(layout.pixels(end - k)), column_sum(gradient.size());
      std::size_t n = 0;
      layout.for_pixels(k, end, [&](std::size_t pixel, std::size_t place) {
        gradient[n] = data.at(place) + (other != nullptr ? other->gradient[pixel] : 0.0F);
        column_sum[n] = ones.at(place) + (other != nullptr ? other->column_sum[pixel] : 0.0F);
        ++n;
      });
      double square = 0;
      layout.for_runs(k, end, [&](std::size_t pixel, std::size_t from, std::size_t length) {
        square +=
            update.apply(image + pixel, gradient.data() + from, column_sum.data() + from, length);
      });
      changes[static_cast<std::size_t>(k)] = square;
    });
    return std::accumulate(changes.begin(), changes.end(), 0.0);
  }

  // ---- Views with data

  /// Returns the views that have lines of one kind, with their data.
  Loaded load_all(const float* rays, ViewSubset subset, std::size_t kind) const {
    Loaded views(static_cast<std::size_t>(subset.count));
    ParallelErrors errors;
#pragma omp parallel for schedule(dynamic) if (subset.count > 1)
    for (int i = 0; i < subset.count; ++i)
      errors.run([&] { views[static_cast<std::size_t>(i)] = load(rays, subset.view(i), kind); });
    errors.rethrow();
    std::erase_if(views, [](const auto& view) { return view->lines.count() == 0; });
    return views;
  }

  std::unique_ptr<Intervals> load(const float* rays, int view, std::size_t kind) const {
    auto loaded = std::make_unique<Intervals>(intervals(view, kind));
    const float* data = rays + static_cast<std::size_t>(view) * cells_per_view();
    loaded->path_mm.assign(loaded->lines.length_mm.begin(), loaded->lines.length_mm.end());
    for (std::size_t c = 0; c < loaded->value.size(); ++c)
      loaded->value[c] = static_cast<float>(loaded->lines.length_mm[c] *
                                            static_cast<double>(data[loaded->lines.column[c]]));
    return loaded;
  }

  RayWeighting weighting_;
  std::unique_ptr<RowSource> rows_;
};

}  // namespace

std::unique_ptr<Projector> make_siddon_joseph_2d(Backend& backend,
                                                 std::shared_ptr<const ScanGeometry> geometry,
                                                 const VolumeGrid& grid, RayWeighting weighting,
                                                 std::unique_ptr<RowSource> rows) {
  constexpr double largest_plane = 2147483647.0;
  if (static_cast<double>(grid.nx) * grid.ny > largest_plane)
    throw UsageError("a slice of " + std::to_string(grid.nx) + " x " + std::to_string(grid.ny) +
                         " voxels is too large",
                     "grid", "use at most 2147483647 pixels per slice, such as 46340 x 46340");
  return std::make_unique<SiddonJoseph2d>(backend, std::move(geometry), grid, weighting,
                                          std::move(rows));
}

std::size_t siddon_joseph_2d_bytes(const ScanGeometry& geometry, const VolumeGrid& grid) {
  const auto columns = static_cast<std::size_t>(geometry.columns());
  const std::size_t view_bytes =
      (6 * sizeof(double) + 4 * sizeof(float) + sizeof(int)) * columns;  // see Intervals
  const auto tables = [&](int views_at_once) {
    return view_bytes * static_cast<std::size_t>(std::min(geometry.views(), views_at_once));
  };
  const ForwardTasks plan(geometry.views(), geometry.columns());
  return std::max(sizeof(float) * grid.voxels() + tables(plan.views_at_once()),
                  tables(adjoint_batch));
}

}  // namespace gantry
