#pragma once

#include "core/operator/column_access.hpp"
#include "gpu/access/columns.cuh"
#include "gpu/base/cuda_backend.hpp"
#include "gpu/base/device_buffer.hpp"
#include "gpu/base/launch.hpp"
#include "gpu/base/pinned_buffer.hpp"

#include <memory>
#include <utility>

namespace gantry {

/// The columns of a projector of a GPU, from a model of its weights (columns.cuh). Some
/// voxels above each other are the work of one thread, or of a warp where a lattice has too few
/// voxels to keep the GPU busy.
template <class Model>
class CudaColumns final : public ColumnAccess {
 public:
  /// `tables`: what the model points to, unless the projector holds it.
  CudaColumns(const CudaBackend& cuda, const VolumeGrid& grid, const Model& model,
              std::shared_ptr<const void> tables = nullptr)
      : cuda_(cuda), grid_(grid), tables_(std::move(tables)), model_(model) {
    const DeviceScope scope(cuda.device());
    result_ = PinnedBuffer<double>(1);
  }

  const VolumeGrid& grid() const override { return grid_; }
  bool repeatable() const override { return false; }

  void sums(const Array& y, const VoxelLattice& voxels, Array& out) const override {
    sum("column_sums", y.data(), voxels, false, out);
  }
  void squares(const Array* weights, const VoxelLattice& voxels, Array& out) const override {
    sum("column squares", weights != nullptr ? weights->data() : nullptr, voxels, true, out);
  }
  void add(const Array& x, float factor, const VoxelLattice& voxels, Array& y) const override {
    with_shape(voxels, [&](auto shape, const device::Lattice& lattice, unsigned blocks) {
      device::column_add<shape.lanes, shape.deep>
          <<<blocks, device::column_threads_of_block, 0, cuda_.stream()>>>(
              model_, lattice, x.data(), factor, y.data());
      check_launch("column_add");
    });
  }
  double update(const CoordinateStep& step, const VoxelLattice& voxels, Array& x,
                Array& change) const override {
    const auto data = [](const Array* array) { return array != nullptr ? array->data() : nullptr; };
    const device::ColumnStep on_device{
        step.residual.data(), data(step.weights), step.curvature.data(), data(step.slope),
        data(step.bend),      step.lambda,        step.relaxation,       step.low};
    double square = 0;
    with_shape(voxels, [&](auto shape, const device::Lattice& lattice, unsigned blocks) {
      if (partial_.size() < blocks)
        partial_ = DeviceBuffer<double>(cuda_, blocks, "sums of changes");
      device::column_update<shape.lanes, shape.deep>
          <<<blocks, device::column_threads_of_block, 0, cuda_.stream()>>>(
              model_, lattice, on_device, x.data(), change.data(), partial_.data());
      check_launch("column_update");
      constexpr int adding = kernels::elementwise_threads;
      kernels::add_partials<adding><<<1, adding, 0, cuda_.stream()>>>(
          partial_.data(), static_cast<int>(blocks), result_.device_data());
      check_launch("column_update");
      check(cudaStreamSynchronize(cuda_.stream()), "column_update");
      square = *result_.data();
    });
    return square;
  }

 private:
  /// Lattices with fewer groups get a warp for each group.
  static constexpr std::int64_t groups_for_threads = 200000;

  /// Calls launch(Shape<Lanes, Deep>, lattice, blocks) with the shape that suits the lattice.
  template <int Lanes, int Deep>
  struct Shape {
    static constexpr int lanes = Lanes, deep = Deep;
  };
  template <class Launch>
  void with_shape(const VoxelLattice& voxels, const Launch& launch) const {
    const DeviceScope scope(cuda_.device());
    const device::Lattice lattice = lattice_on(voxels, grid_);
    if (lattice.count[2] > 1)
      with_lanes<Model::deep>(lattice, launch);
    else
      with_lanes<1>(lattice, launch);
  }
  template <int Deep, class Launch>
  void with_lanes(const device::Lattice& lattice, const Launch& launch) const {
    const std::int64_t groups = device::lattice_groups<Deep>(lattice);
    if (groups == 0) return;
    if (groups >= groups_for_threads)
      launch(Shape<1, Deep>{}, lattice, blocks(groups, device::column_threads_of_block));
    else
      launch(Shape<32, Deep>{}, lattice, blocks(groups, device::column_threads_of_block / 32));
  }

  void sum(const char* name, const float* y, const VoxelLattice& voxels, bool squared,
           Array& out) const {
    with_shape(voxels, [&](auto shape, const device::Lattice& lattice, unsigned blocks) {
      device::column_sums<shape.lanes, shape.deep>
          <<<blocks, device::column_threads_of_block, 0, cuda_.stream()>>>(model_, lattice, y,
                                                                           squared, out.data());
      check_launch(name);
    });
  }

  const CudaBackend& cuda_;
  VolumeGrid grid_;
  std::shared_ptr<const void> tables_;
  Model model_;
  mutable DeviceBuffer<double> partial_;  // mutable: scratch of update()
  mutable PinnedBuffer<double> result_;
};

}  // namespace gantry
