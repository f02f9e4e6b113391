// The forward product in 2D sums overlaps cell by cell. With the footprint [U_c, U_c+1] of cell c
// on layer k, in pixels,
//   p_c = sum_k length_c / (U_c+1 - U_c) * sum_i overlap([U_c, U_c+1], [i, i + 1]) * f_ki,
// with length in mm and f in 1/mm. Forward product and transpose have the same weights but for
// rounding.
#include "core/projectors/distance_driven/distance_driven.hpp"

#include "core/projectors/distance_driven/dd_kernels.hpp"
#include "core/projectors/distance_driven/dd_overlaps_3d.hpp"
#include "core/projectors/distance_driven/distance_driven_2d.hpp"
#include "core/projectors/distance_driven/distance_driven_3d.hpp"

#include <algorithm>
#include <vector>

namespace gantry {

namespace {

constexpr int layer_block = 64;  // layers per pass of a task's views: they stay in cache

class Overlaps2d final : public DistanceDriven2d {
 public:
  Overlaps2d(Backend& backend, std::shared_ptr<const ScanGeometry> geometry, const VolumeGrid& grid)
      : DistanceDriven2d(backend, std::move(geometry), grid) {}

 private:
  void do_forward(const Array& x, Array& y, ViewSubset subset) const override {
    run_tasks(subset.count,
              [&](const Task& task) { forward_task(x.data(), y.data(), subset, task); });
  }

  void forward_task(const float* image, float* rays, ViewSubset subset, const Task& task) const {
    std::vector<DdView> tables;
    tables.reserve(static_cast<std::size_t>(task.last_view - task.first_view));
    for (int i = task.first_view; i < task.last_view; ++i)
      tables.emplace_back(geometry(), grid(), subset.view(i));
    const auto columns = static_cast<std::size_t>(geometry().columns());
    std::vector<float> sums(tables.size() * columns, 0.0F);
    for (const bool along_y : {true, false}) add_slices(tables, along_y, image, task, sums.data());
    for (std::size_t i = 0; i < tables.size(); ++i)
      store(tables[i], task, sums.data() + i * columns, 1,
            rays + static_cast<std::size_t>(subset.view(task.first_view + static_cast<int>(i))) *
                       cells_per_view());
  }

  /// Adds all layers of one kind to the sums [table][cell] of the tables of that kind.
  void add_slices(const std::vector<DdView>& tables, bool along_y, const float* image,
                  const Task& task, float* sums) const {
    const auto views = std::ranges::count_if(
        tables, [=](const DdView& table) { return table.slices.along_y == along_y; });
    if (views == 0) return;
    const Layers slices = Layers::of(grid(), along_y);
    // Layers x = const lie across memory. For three views or more it pays to transpose them first.
    const bool turned = !along_y && views >= 3;
    std::vector<float> buffer(turned ? static_cast<std::size_t>(layer_block) *
                                           static_cast<std::size_t>(slices.width)
                                     : 0);
    const DdPlane source =
        turned ? DdPlane{slices.count, slices.width, slices.width, 1} : plane(slices);
    for (int first = 0; first < slices.count; first += layer_block) {
      const int last = std::min(first + layer_block, slices.count);
      if (turned) transpose_layers(image, first, last, buffer.data());
      const float* data =
          turned ? buffer.data() : image + static_cast<std::ptrdiff_t>(first) * source.layer_stride;
      for (std::size_t i = 0; i < tables.size(); ++i)
        if (tables[i].slices.along_y == along_y)
          dd_kernels().forward(tables[i].map(), source, data, first, last, task.first_cell,
                               task.last_cell,
                               sums + i * static_cast<std::size_t>(geometry().columns()));
    }
  }

  /// out[k - first][iy] = image(k, iy)
  void transpose_layers(const float* image, int first, int last, float* out) const {
    const std::size_t nx = static_cast<std::size_t>(grid().nx),
                      ny = static_cast<std::size_t>(grid().ny);
    for (std::size_t iy = 0; iy < ny; ++iy)
      for (int k = first; k < last; ++k)
        out[static_cast<std::size_t>(k - first) * ny + iy] =
            image[iy * nx + static_cast<std::size_t>(k)];
  }
};

}  // namespace

std::unique_ptr<Projector> make_distance_driven(Backend& backend,
                                                std::shared_ptr<const ScanGeometry> geometry,
                                                const VolumeGrid& grid, const Params&) {
  require_countable_slices(grid);
  require_turning(*geometry, "the distance-driven projector");
  if (is_planar(*geometry, grid))
    return std::make_unique<Overlaps2d>(backend, std::move(geometry), grid);
  return make_dd_overlaps_3d(backend, std::move(geometry), grid);
}

ProductMemory distance_driven_memory(const ScanGeometry& geometry, const VolumeGrid& grid, int) {
  return {is_planar(geometry, grid) ? 0 : DistanceDriven3d::bytes(geometry, grid)};
}

}  // namespace gantry
