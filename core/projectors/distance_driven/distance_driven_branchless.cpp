// The forward product in 2D: with S_k the prefix sums of layer k and U_c the cell edges on layer k,
//   p_c = sum_k length_c / (U_c+1 - U_c) * (S_k(U_c+1) - S_k(U_c))
// (Liu et al. 2017, eqs 18 to 24 for one row). S is linear inside a pixel and constant outside the
// image, so that a footprint is cut at the border of the image but still divided by its full width.
// S is evaluated once at each edge, for the two cells next to the edge.
#include "core/projectors/distance_driven/distance_driven_branchless.hpp"

#include "core/projectors/common/layer_rows.hpp"
#include "core/projectors/common/prefix_sums.hpp"
#include "core/projectors/distance_driven/dd_branchless_3d.hpp"
#include "core/projectors/distance_driven/distance_driven_2d.hpp"
#include "core/projectors/distance_driven/distance_driven_3d.hpp"
#include "core/projectors/distance_driven/prefix_kernels.hpp"

#include <algorithm>
#include <vector>

namespace gantry {

namespace {

constexpr int accuracy_block = 16;  // layers that are summed up in float32

static_assert(row_padding > prefix_padding - 1);

/// Prefix sums of all layers of one kind of an image, one row per layer.
class LayerSums {
 public:
  LayerSums(const LayerRows& layout, const float* image, const PrefixUnit& unit) : layout_(layout) {
    const auto& slices = layout.slices();
    sums_ = layout.load_as<std::int32_t>(image, [&](float value) { return unit.count(value); });
#pragma omp parallel for schedule(static)
    for (int k = 0; k < slices.count; ++k) {
      std::int32_t* row = sums_.data() + layout.size(k);
      for (int i = 1; i <= slices.width; ++i) row[i] = add_units(row[i - 1], row[i]);
      row[slices.width + 1] = row[slices.width];
    }
  }
  const Layers& slices() const { return layout_.slices(); }
  long stride() const { return static_cast<long>(layout_.size(1)); }
  const std::int32_t* row(int k) const { return sums_.data() + layout_.size(k); }

 private:
  LayerRows layout_;
  std::vector<std::int32_t> sums_;
};

class Branchless2d final : public DistanceDriven2d {
 public:
  Branchless2d(Backend& backend, std::shared_ptr<const ScanGeometry> geometry,
               const VolumeGrid& grid)
      : DistanceDriven2d(backend, std::move(geometry), grid) {}

  std::size_t workspace_bytes() const override { return bytes(grid()); }
  /// The workspace_bytes() of a projector for this grid.
  static std::size_t bytes(const VolumeGrid& grid) {
    return sizeof(std::int32_t) *
           std::max(LayerRows(grid, true).size(grid.ny), LayerRows(grid, false).size(grid.nx));
  }

 private:
  void do_forward(const Array& x, Array& y, ViewSubset subset) const override {
    const int width = std::max(grid().nx, grid().ny);
    const PrefixUnit unit(x.data(), x.size(), std::min<double>(width, widest_pixels() + 2));
    for (const bool along_y : {true, false}) {
      const std::vector<int> indices = views_of_kind(geometry(), subset, along_y);
      if (indices.empty()) continue;
      const LayerSums sums(LayerRows(grid(), along_y), x.data(), unit);
      run_tasks(static_cast<int>(indices.size()), [&](const Task& task) {
        forward_task(sums, unit.value(), indices.data(), task, y.data());
      });
    }
  }

  void forward_task(const LayerSums& sums, double unit, const int* indices, const Task& task,
                    float* rays) const {
    std::vector<DdView> tables;
    tables.reserve(static_cast<std::size_t>(task.last_view - task.first_view));
    for (int i = task.first_view; i < task.last_view; ++i)
      tables.emplace_back(geometry(), grid(), indices[i]);
    const auto columns = static_cast<std::size_t>(geometry().columns());
    // Sums are float32 within a block of layers and float64 across blocks: in a float32 sum of
    // hundreds of nearly equal terms, all would be rounded in the same direction.
    std::vector<double> sums_of_views(tables.size() * columns, 0.0);
    std::vector<float> part(columns);
    std::vector<std::int32_t> edges(columns + 1);
    const int slices = sums.slices().count;
    for (int k = 0; k < slices; k += accuracy_block)
      for (std::size_t i = 0; i < tables.size(); ++i) {
        std::ranges::fill(part, 0.0F);
        prefix_kernels().forward(tables[i].map(), sums.row(k), sums.slices().width, sums.stride(),
                                 k, std::min(slices, k + accuracy_block), task.first_cell,
                                 task.last_cell, edges.data(), part.data());
        double* own = sums_of_views.data() + i * columns;
        for (auto c = static_cast<std::size_t>(task.first_cell);
             c < static_cast<std::size_t>(task.last_cell); ++c)
          own[c] += part[c];
      }
    for (std::size_t i = 0; i < tables.size(); ++i)
      store(tables[i], task, sums_of_views.data() + i * columns, unit,
            rays + static_cast<std::size_t>(indices[task.first_view + static_cast<int>(i)]) *
                       cells_per_view());
  }
};

}  // namespace

std::unique_ptr<Projector> make_distance_driven_branchless(
    Backend& backend, std::shared_ptr<const ScanGeometry> geometry, const VolumeGrid& grid,
    const Params&) {
  require_countable_slices(grid);
  require_turning(*geometry, "the distance-driven projector");
  if (is_planar(*geometry, grid))
    return std::make_unique<Branchless2d>(backend, std::move(geometry), grid);
  return make_dd_branchless_3d(backend, std::move(geometry), grid);
}

ProductMemory distance_driven_branchless_memory(const ScanGeometry& geometry,
                                                const VolumeGrid& grid, int) {
  return {is_planar(geometry, grid) ? Branchless2d::bytes(grid)
                                    : DistanceDriven3d::bytes(geometry, grid)};
}

}  // namespace gantry
