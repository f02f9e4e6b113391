#pragma once

#include "core/operator/column_access.hpp"
#include "core/operator/projector.hpp"
#include "gpu/access/columns.cuh"
#include "gpu/access/super_voxels.cuh"
#include "gpu/base/cuda_backend.hpp"
#include "gpu/base/device_buffer.hpp"
#include "gpu/base/launch.hpp"
#include "gpu/base/pinned_buffer.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <utility>

namespace gantry {

/// The columns of a projector of a GPU, from a model of its weights (columns.cuh). Some
/// voxels above each other are the work of one thread, or of a warp where a lattice has too few
/// voxels to keep the GPU busy; `worker` makes it one of these everywhere.
template <class Model>
class CudaColumns : public ColumnAccess {
 public:
  /// `tables`: what the model points to, unless the projector holds it.
  CudaColumns(const CudaBackend& cuda, const Projector& projector, const Model& model,
              ColumnWorker worker, std::shared_ptr<const void> tables = nullptr)
      : cuda_(cuda),
        grid_(projector.grid()),
        tables_(std::move(tables)),
        model_(model),
        worker_(worker),
        views_(projector.views()),
        columns_(projector.geometry().columns()),
        cells_(static_cast<std::int64_t>(projector.cells_per_view())) {
    const DeviceScope scope(cuda.device());
    result_ = PinnedBuffer<double>(1);
  }

  const VolumeGrid& grid() const override { return grid_; }
  bool repeatable() const override { return false; }

  void sums(const Array& y, const VoxelLattice& voxels, Array& out) const override {
    sum<1>("column_sums", y.data(), voxels, out);
  }
  void squares(const Array* weights, const VoxelLattice& voxels, Array& out) const override {
    sum<2>("column squares", weights != nullptr ? weights->data() : nullptr, voxels, out);
  }
  void add(const Array& x, float factor, const VoxelLattice& voxels, Array& y) const override {
    const auto launch = [&](auto shape, const device::Lattice& lattice, unsigned blocks) {
      device::column_add<shape.lanes, shape.deep>
          <<<blocks, device::column_threads_of_block, 0, cuda_.stream()>>>(
              model_, lattice, x.data(), factor, y.data());
      check_launch("column_add");
    };
    with_shape(voxels, launch, device::row_tile);
  }
  double update(const CoordinateStep& step, const VoxelLattice& voxels, Array& x,
                Array& change) const override {
    device::ColumnStep on_device = step_on_device(step);
    double square = 0;
    with_shape(voxels, [&](auto shape, const device::Lattice& lattice, unsigned blocks) {
      require_partials(blocks);
      with_factors<1>(lattice, on_device.residual, on_device.weights,
                      [&](const auto& model, const float* residual, const float* weights) {
                        on_device.residual = residual;
                        on_device.weights = weights;
                        device::column_update<shape.lanes, shape.deep>
                            <<<blocks, device::column_threads_of_block, 0, cuda_.stream()>>>(
                                model, lattice, on_device, x.data(), change.data(),
                                partial_.data());
                      });
      check_launch("column_update");
      square = sum_of_partials(static_cast<int>(blocks));
    });
    return square;
  }
  double descend(const CoordinateStep& step, const VoxelLattice& voxels, const SuperVoxels& parts,
                 Array& x, Array& residual) const override {
    const DeviceScope scope(cuda_.device());
    const device::Lattice lattice = lattice_on(voxels, grid_);
    return lattice.count[2] > 1 ? descend_deep<Model::deep>(step, lattice, parts, x, residual)
                                : descend_deep<1>(step, lattice, parts, x, residual);
  }

 private:
  static device::ColumnStep step_on_device(const CoordinateStep& step) {
    const auto data = [](const Array* array) { return array != nullptr ? array->data() : nullptr; };
    return {step.residual.data(), data(step.weights), step.curvature.data(), data(step.slope),
            data(step.bend),      step.lambda,        step.relaxation,       step.low};
  }
  void require_partials(std::size_t count) const {
    if (partial_.size() < count) partial_ = DeviceBuffer<double>(cuda_, count, "sums of changes");
  }
  double sum_of_partials(int count) const {
    constexpr int adding = kernels::elementwise_threads;
    kernels::add_partials<adding>
        <<<1, adding, 0, cuda_.stream()>>>(partial_.data(), count, result_.device_data());
    check_launch("sums of changes");
    check(cudaStreamSynchronize(cuda_.stream()), "sums of changes");
    return *result_.data();
  }

  template <int Deep>
  double descend_deep(const CoordinateStep& step, const device::Lattice& lattice,
                      const SuperVoxels& parts, Array& x, Array& residual) const {
    const auto kernel = device::descend_super_voxels<Deep, Model>;
    device::SuperVoxelTask task = task_of(parts);
    require_capacity(parts, task);
    task.capacity = capacity_;
    const std::size_t bytes = static_cast<std::size_t>(views_) * sizeof(device::HeldCells) +
                              static_cast<std::size_t>(capacity_) * sizeof(float);
    check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                               static_cast<int>(bytes)),
          "asking for shared memory of the GPU");
    const DeviceBuffer<std::uint32_t> order(cuda_, parts.order, "the order of the super-voxels");
    const std::size_t count = parts.order.size(),
                      at_once = std::min(count, static_cast<std::size_t>(parts.at_once));
    if (before_.size() < at_once * static_cast<std::size_t>(capacity_))
      before_ = DeviceBuffer<float>(cuda_, at_once * static_cast<std::size_t>(capacity_),
                                    "copies of residuals");
    require_partials(count);
    for (std::size_t first = 0; first < count; first += at_once) {
      task.number = order.data() + first;
      kernel<<<static_cast<unsigned>(std::min(at_once, count - first)), device::super_voxel_threads,
               bytes, cuda_.stream()>>>(model_, lattice, task, step_on_device(step), x.data(),
                                        residual.data(), before_.data(), partial_.data() + first);
      check_launch("descend_super_voxels");
    }
    const double square = sum_of_partials(static_cast<int>(count));
    if (!parts.squares.empty())
      check(cudaMemcpy(parts.squares.data(), partial_.data(), count * sizeof(double),
                       cudaMemcpyDeviceToHost),
            "changes of super-voxels");
    return square;
  }
  device::SuperVoxelTask task_of(const SuperVoxels& parts) const {
    const std::array<int, 3> size = {grid_.nx, grid_.ny, grid_.nz};
    device::SuperVoxelTask task{};
    for (std::size_t axis = 0; axis < 3; ++axis) {
      task.side[axis] = parts.side[axis];
      task.size[axis] = size[axis];
      task.along[axis] = (size[axis] + parts.side[axis] - 1) / parts.side[axis];
    }
    task.views = views_;
    task.columns = columns_;
    task.cells = cells_;
    task.skip_zeros = parts.skip_zeros ? 1 : 0;
    return task;
  }
  /// Finds the rays that a super-voxel of this size holds: as many as any of them meets, if the
  /// shared memory suffices.
  void require_capacity(const SuperVoxels& parts, const device::SuperVoxelTask& task) const {
    if (capacity_ > 0 && side_ == parts.side) return;
    const std::size_t table = static_cast<std::size_t>(views_) * sizeof(device::HeldCells),
                      reserved = 1024,  // of a block, and what kernels declare themselves
        room = cuda_.shared_bytes_per_block() - reserved;
    if (table >= room)
      throw UsageError("the scan has more views than super-voxels are made for on this GPU",
                       "solver", "use icd");
    const auto kernel = device::count_held_rays<Model>;
    check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                               static_cast<int>(table)),
          "asking for shared memory of the GPU");
    DeviceBuffer<int> most(cuda_, std::vector<int>{0}, "the rays of super-voxels");
    kernel<<<SuperVoxels::count(grid_, parts.side), device::super_voxel_threads, table,
             cuda_.stream()>>>(model_, task, most.data());
    check_launch("count_held_rays");
    int rays = 0;
    check(cudaMemcpyAsync(&rays, most.data(), sizeof rays, cudaMemcpyDeviceToHost, cuda_.stream()),
          "the rays of super-voxels");
    check(cudaStreamSynchronize(cuda_.stream()), "the rays of super-voxels");
    capacity_ = std::max(1, std::min(rays, static_cast<int>((room - table) / sizeof(float))));
    side_ = parts.side;
  }

  /// Lattices with fewer groups get a warp for each group.
  static constexpr std::int64_t groups_for_threads = 200000;

  /// Calls launch(Shape<Lanes, Deep>, lattice, blocks) with the shape that suits the lattice.
  template <int Lanes, int Deep>
  struct Shape {
    static constexpr int lanes = Lanes, deep = Deep;
  };
  template <class Launch>
  void with_shape(const VoxelLattice& voxels, const Launch& launch,
                  int tile_across = device::block_tile) const {
    const DeviceScope scope(cuda_.device());
    const device::Lattice lattice = lattice_on(voxels, grid_, tile_across);
    constexpr int deepest = device::deep_of_thread<Model>();
    if constexpr (deepest > Model::deep)
      if (lattice.count[2] >= deepest / 2 && for_threads<deepest>(lattice)) {
        launch_with<1, deepest>(lattice, launch);
        return;
      }
    if (lattice.count[2] > 1)
      with_lanes<Model::deep>(lattice, launch);
    else
      with_lanes<1>(lattice, launch);
  }
  template <int Deep, class Launch>
  void with_lanes(const device::Lattice& lattice, const Launch& launch) const {
    if (for_threads<Deep>(lattice))
      launch_with<1, Deep>(lattice, launch);
    else
      launch_with<32, Deep>(lattice, launch);
  }
  template <int Lanes, int Deep, class Launch>
  void launch_with(const device::Lattice& lattice, const Launch& launch) const {
    const std::int64_t groups = device::lattice_groups<Deep>(lattice);
    if (groups > 0)
      launch(Shape<Lanes, Deep>{}, lattice,
             blocks(groups, device::column_threads_of_block / Lanes));
  }
  /// Whether a thread visits all views of a group, and not a warp.
  template <int Deep>
  bool for_threads(const device::Lattice& lattice) const {
    return worker_ == ColumnWorker::thread || (worker_ == ColumnWorker::automatic &&
                                               std::int64_t{lattice.count[0]} * lattice.count[1] *
                                                       ((lattice.count[2] + Deep - 1) / Deep) >=
                                                   groups_for_threads);
  }

  template <int Power>
  void sum(const char* name, const float* y, const VoxelLattice& voxels, Array& out) const {
    with_shape(voxels, [&](auto shape, const device::Lattice& lattice, unsigned blocks) {
      with_factors<Power>(lattice, y, nullptr,
                          [&](const auto& model, const float* values, const float*) {
                            device::column_sums<Power, shape.lanes, shape.deep>
                                <<<blocks, device::column_threads_of_block, 0, cuda_.stream()>>>(
                                    model, lattice, values, out.data());
                          });
      check_launch(name);
    });
  }

  /// Calls launch(model, values of the rays, their weights): where the lattice has many voxels,
  /// with the model without factors and the product of values, weights and factors^Power.
  template <int Power, class Launch>
  void with_factors(const device::Lattice& lattice, const float* values, const float* weights,
                    const Launch& launch) const {
    if constexpr (device::HasRayFactors<Model>) {
      // Scaling so many rays takes less time than visiting one voxel in all views.
      constexpr std::int64_t rays_for_a_voxel = 16;
      const std::int64_t voxels =
          std::int64_t{lattice.count[0]} * lattice.count[1] * lattice.count[2];
      if (voxels * rays_for_a_voxel >= views_ * cells_) {
        if (scaled_.size() == 0)
          scaled_ = DeviceBuffer<float>(cuda_, static_cast<std::size_t>(views_ * cells_),
                                        "the scaled rays of a projector's columns");
        const auto rows = static_cast<int>(cells_ / columns_);
        device::scale_rays<Power><<<static_cast<unsigned>(views_ * rows), 256, 0, cuda_.stream()>>>(
            model_, rows, columns_, values, weights, scaled_.data());
        check_launch("scale_rays");
        launch(model_.without_factors(), scaled_.data(), static_cast<const float*>(nullptr));
        return;
      }
    }
    launch(model_, values, weights);
  }

  const CudaBackend& cuda_;
  VolumeGrid grid_;
  std::shared_ptr<const void> tables_;
  Model model_;
  ColumnWorker worker_;
  int views_, columns_;
  std::int64_t cells_;
  mutable int capacity_ = 0;  // of descend(), for super-voxels of side_
  mutable std::array<int, 3> side_{};
  mutable DeviceBuffer<float> before_;
  mutable DeviceBuffer<float> scaled_;    // values of the rays, times the factors of the weights
  mutable DeviceBuffer<double> partial_;  // mutable: scratch
  mutable PinnedBuffer<double> result_;
};

}  // namespace gantry
