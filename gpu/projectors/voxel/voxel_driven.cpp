#include "gpu/projectors/voxel/voxel_driven.hpp"

#include "core/projectors/voxel/voxel_driven.hpp"
#include "gpu/projectors/siddon_joseph/siddon.hpp"
#include "gpu/projectors/voxel/voxel_backprojection.hpp"

namespace gantry {

namespace {

class CudaVoxelDriven final : public Projector {
 public:
  CudaVoxelDriven(Backend& backend, std::shared_ptr<const ScanGeometry> geometry,
                  const VolumeGrid& grid)
      : Projector(backend, geometry, grid),
        cuda_(cuda_backend(backend)),
        rays_(make_cuda_siddon(backend, geometry, grid, {})),
        density_(cuda_, ray_density(*geometry, grid)),
        spread_(cuda_, *geometry, grid, geometry->beam() == Beam::cone ? 2 : 1) {}

  bool matched() const override { return false; }
  const RowSource* row_source() const override { return rays_->row_source(); }
  std::size_t workspace_bytes() const override {
    return cuda_voxel_driven_memory(geometry(), grid(), 0).bytes;
  }

 private:
  void do_forward(const Array& x, Array& y, ViewSubset subset) const override {
    rays_->set_interrupt(interrupt());
    rays_->forward(x, y, subset);
  }

  void do_adjoint(const Array& y, Array& x, ViewSubset subset) const override {
    const auto columns = static_cast<std::size_t>(geometry().columns());
    spread_.apply(
        subset,
        [&](int first, int) {
          return device::VoxelRows{
              y.data() + static_cast<std::size_t>(subset.view(first)) * cells_per_view(),
              static_cast<std::size_t>(subset.stride) * cells_per_view(), columns, density_.data()};
        },
        [&] { check_interrupt(); }, x.data());
  }

  const CudaBackend& cuda_;
  std::unique_ptr<Projector> rays_;
  DeviceBuffer<float> density_;
  CudaVoxelBackprojection spread_;
};

}  // namespace

std::unique_ptr<Projector> make_cuda_voxel_driven(Backend& backend,
                                                  std::shared_ptr<const ScanGeometry> geometry,
                                                  const VolumeGrid& grid, const Params&) {
  require_turning(*geometry, "the voxel-driven projector");
  return std::make_unique<CudaVoxelDriven>(backend, std::move(geometry), grid);
}

ProductMemory cuda_voxel_driven_memory(const ScanGeometry& geometry, const VolumeGrid& grid,
                                       int multiprocessors) {
  return {geometry.cells() * sizeof(float) +
          cuda_siddon_memory(geometry, grid, multiprocessors).bytes +
          CudaVoxelBackprojection::bytes(geometry, grid)};
}

}  // namespace gantry
