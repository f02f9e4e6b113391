#include "core/projectors/distance_driven/distance_driven_3d.hpp"

#include "core/backend/cpu_backend.hpp"
#include "core/base/parallel_errors.hpp"
#include "core/projectors/distance_driven/dd_rows.hpp"

#include <algorithm>

namespace gantry {

namespace {

constexpr int view_batch = 8;    // views that are processed together in a pass over the layers
constexpr int layer_block = 8;   // layers of such a pass: they stay in cache
constexpr int parts_of_few = 8;  // parts of the layers, if there are few views

}  // namespace

DistanceDriven3d::DistanceDriven3d(Backend& backend, std::shared_ptr<const ScanGeometry> geometry,
                                   const VolumeGrid& grid)
    : Projector(backend, geometry, grid), rows_(make_dd_rows(geometry, grid)) {
  for (int v = 0; v < views(); ++v) {
    const DdView3d view(this->geometry(), grid, v);  // throws if the view does not suit
    const DdView& table = view.table();
    longest_footprint_ =
        std::max({longest_footprint_,
                  std::min<double>(table.slices.width, table.largest_scale() * table.widest + 2),
                  std::min<double>(grid.nz, view.axial().largest_pitch() + 2)});
  }
}

std::size_t DistanceDriven3d::bytes(const ScanGeometry& geometry, const VolumeGrid& grid) {
  const auto tasks = static_cast<std::size_t>(std::max(2 * cpu_threads(), parts_of_few));
  return VoxelLines::bytes(grid) + sizeof(float) * tasks * view_batch * geometry.cells();
}

// ---- Forward

void DistanceDriven3d::do_forward(const Array& x, Array& y, ViewSubset subset) const {
  const auto volume = forward_volume(x.data());
  for (const bool along_y : {true, false}) {
    const std::vector<int> indices = views_of_kind(geometry(), subset, along_y);
    if (indices.empty()) continue;
    forward_views(*volume, Layers::of(grid(), along_y).count, indices, y.data());
  }
}

void DistanceDriven3d::forward_views(const ForwardVolume& volume, int layer_count,
                                     const std::vector<int>& indices, float* rays) const {
  // Where there are many views, a task takes several; of few, a task takes a part of the layers.
  // The number of parts does not depend on the threads, so that the sums do not depend on them
  // either.
  const int views = static_cast<int>(indices.size()), tasks = (views + view_batch - 1) / view_batch;
  const int parts = tasks >= 8 ? 1 : parts_of_few;
  const int group = std::max(1, 2 * cpu_threads() / parts);
  const auto slice = [=](int part) {
    return static_cast<int>(static_cast<long>(layer_count) * part / parts);
  };
  for (int first_task = 0; first_task < tasks; first_task += group) {
    const int last_task = std::min(tasks, first_task + group);
    std::vector<std::vector<DdView3d>> sums(
        static_cast<std::size_t>((last_task - first_task) * parts));
    ParallelErrors errors;
#pragma omp parallel for schedule(dynamic) collapse(2)
    for (int task = first_task; task < last_task; ++task)
      for (int part = 0; part < parts; ++part)
        errors.run([&] {
          auto& own = sums[static_cast<std::size_t>((task - first_task) * parts + part)];
          for (int i = task * view_batch; i < std::min(views, (task + 1) * view_batch); ++i)
            own.emplace_back(geometry(), grid(), indices[static_cast<std::size_t>(i)]);
          for (int k = slice(part); k < slice(part + 1) && !interrupted(); k += layer_block)
            for (DdView3d& view : own)
              volume.add(k, std::min(slice(part + 1), k + layer_block), view);
        });
    errors.rethrow();
    check_interrupt();
#pragma omp parallel for schedule(dynamic)
    for (int i = first_task * view_batch; i < std::min(views, last_task * view_batch); ++i)
      errors.run([&] {
        const auto of_task = static_cast<std::size_t>((i / view_batch - first_task) * parts),
                   in_task = static_cast<std::size_t>(i % view_batch);
        DdView3d& view = sums[of_task][in_task];
        for (std::size_t part = 1; part < static_cast<std::size_t>(parts); ++part)
          std::ranges::transform(view.values(), sums[of_task + part][in_task].values(),
                                 view.values().begin(), std::plus<>());
        view.store(volume.unit(),
                   rays + static_cast<std::size_t>(indices[static_cast<std::size_t>(i)]) *
                              cells_per_view());
      });
    errors.rethrow();
  }
}

// ---- Transpose

void DistanceDriven3d::do_adjoint(const Array& y, Array& x, ViewSubset subset) const {
  VoxelLines volume(backend(), grid());
  for (int first = 0; first < subset.count; first += view_batch) {
    const int count = std::min(view_batch, subset.count - first);
    std::vector<DdView3d> views;
    views.reserve(static_cast<std::size_t>(count));
    for (int i = 0; i < count; ++i) views.emplace_back(geometry(), grid(), subset.view(first + i));
    ParallelErrors errors;
#pragma omp parallel for schedule(dynamic)
    for (int i = 0; i < count; ++i)
      errors.run([&] {
        DdView3d& view = views[static_cast<std::size_t>(i)];
        view.load(y.data() + static_cast<std::size_t>(subset.view(first + i)) * cells_per_view());
        prepare(view);
      });
    errors.rethrow();
    for (const bool along_y : {true, false}) adjoint_views(views, along_y, volume);
    check_interrupt();
  }
  volume.store(x.data());
}

void DistanceDriven3d::adjoint_views(const std::vector<DdView3d>& views, bool along_y,
                                     VoxelLines& volume) const {
  const auto suits = [=](const DdView3d& view) { return view.table().slices.along_y == along_y; };
  if (std::ranges::none_of(views, suits)) return;
  const int slices = Layers::of(grid(), along_y).count;
  ParallelErrors errors;
#pragma omp parallel for schedule(dynamic)
  for (int k = 0; k < slices; ++k)
    errors.run([&] {
      if (interrupted()) return;
      Scratch scratch;
      for (const DdView3d& view : views) {
        if (!suits(view)) continue;
        scratch.edges.set(view.table(), k);
        adjoint_slice(view, k, volume, scratch);
      }
    });
  errors.rethrow();
}

}  // namespace gantry
