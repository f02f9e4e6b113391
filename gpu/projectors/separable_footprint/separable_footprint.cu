// Launches of the separable-footprint kernels.
#include "core/projectors/separable_footprint/sf_rows.hpp"
#include "gpu/base/device_buffer.hpp"
#include "gpu/base/launch.hpp"
#include "gpu/projectors/common/image_layouts.hpp"
#include "gpu/projectors/separable_footprint/separable_footprint.cuh"
#include "gpu/projectors/separable_footprint/separable_footprint.hpp"
#include "gpu/projectors/separable_footprint/sf_tables.hpp"

#include <algorithm>

namespace gantry {

namespace {

using device::SfScan;

template <bool Tall, int Lanes, int Rows>
void launch_forward(const SfScan& scan, const float* columns, float* rays, cudaStream_t stream) {
  const dim3 grid(blocks(scan.columns, 128 / Lanes), blocks(scan.rows, Lanes * Rows),
                  static_cast<unsigned>(scan.views));
  device::sf_forward<Tall, Lanes, Rows><<<grid, 128, 0, stream>>>(scan, columns, rays);
  check_launch("sf_forward");
}

/// With few detector rows, the lanes of a warp are divided among several columns.
template <bool Tall>
void forward_columns(const SfScan& scan, const float* columns, float* rays, cudaStream_t stream) {
  if (scan.rows > 64)
    launch_forward<Tall, 32, 8>(scan, columns, rays, stream);
  else if (scan.rows > 8)
    launch_forward<Tall, 32, 2>(scan, columns, rays, stream);
  else
    launch_forward<Tall, 4, 2>(scan, columns, rays, stream);
}

template <int Lanes, int Voxels, int LinesX, int LinesY>
void launch_adjoint(const SfScan& scan, const float* data, float* volume, bool add,
                    cudaStream_t stream) {
  const dim3 grid(blocks(scan.nx, LinesX), blocks(scan.ny, LinesY),
                  blocks(scan.nz, Lanes * Voxels));
  device::sf_adjoint<Lanes, Voxels, LinesX, LinesY>
      <<<grid, Lanes * LinesX * LinesY, 0, stream>>>(scan, data, volume, add);
  check_launch("sf_adjoint");
}

class CudaSeparableFootprint final : public Projector {
 public:
  CudaSeparableFootprint(Backend& backend, std::shared_ptr<const ScanGeometry> geometry,
                         const VolumeGrid& grid)
      : Projector(backend, geometry, grid),
        cuda_(cuda_backend(backend)),
        rows_(make_sf_rows(geometry, grid)),
        tables_(*geometry, grid),
        views_(cuda_, tables_.views),
        inverse_cosine_(cuda_, tables_.inverse_cosine) {
    tables_.scan.view = views_.data();
    tables_.scan.inverse_cosine = inverse_cosine_.data();
  }

  const RowSource* row_source() const override { return rows_.get(); }
  std::size_t workspace_bytes() const override {
    const std::size_t image = forward_layout_size(grid(), tables_.planar);
    const std::size_t rays =
        tables_.planar ? 0 : cells_per_view() * static_cast<std::size_t>(at_once());
    return views_.size() * sizeof(device::SfPose) +
           sizeof(float) * (inverse_cosine_.size() + std::max(image, rays));
  }

 private:
  int at_once() const { return views_at_once(views(), cells_per_view() * sizeof(float)); }

  void do_forward(const Array& x, Array& y, ViewSubset subset) const override {
    const DeviceScope scope(cuda_.device());
    const DeviceBuffer<float> image = forward_layout(cuda_, grid(), tables_.planar, x.data());
    for_parts(subset, most_views_of_launch, [&](ViewSubset views) {
      const SfScan scan = part_of(tables_.scan, views);
      if (tables_.planar) {
        device::sf_forward_plane<<<dim3(blocks(scan.columns, 128), 1,
                                        static_cast<unsigned>(scan.views)),
                                   128, 0, cuda_.stream()>>>(scan, x.data(), image.data(),
                                                             y.data());
        check_launch("sf_forward_plane");
      } else if (tables_.tall) {
        forward_columns<true>(scan, image.data(), y.data(), cuda_.stream());
      } else {
        forward_columns<false>(scan, image.data(), y.data(), cuda_.stream());
      }
    });
  }

  void do_adjoint(const Array& y, Array& x, ViewSubset subset) const override {
    const DeviceScope scope(cuda_.device());
    if (tables_.planar) {
      const SfScan scan = part_of(tables_.scan, subset);
      device::sf_adjoint_plane<<<dim3(blocks(scan.nx, 32), blocks(scan.ny, 8)), dim3(32, 8), 0,
                                 cuda_.stream()>>>(scan, y.data(), x.data());
      check_launch("sf_adjoint_plane");
      return;
    }
    const int at_once = std::min(this->at_once(), subset.count);
    DeviceBuffer<float> data(cuda_, cells_per_view() * static_cast<std::size_t>(at_once),
                             "the backprojection");
    bool add = false;
    for_parts(subset, at_once, [&](ViewSubset views) {
      const SfScan scan = part_of(tables_.scan, views);
      device::sf_data<<<dim3(blocks(scan.columns, 32), blocks(scan.rows, 32),
                             static_cast<unsigned>(scan.views)),
                        dim3(32, 8), 0, cuda_.stream()>>>(scan, y.data(), data.data());
      check_launch("sf_data");
      spread(scan, data.data(), x.data(), add);
      add = true;
      check_interrupt();
    });
  }

  void spread(const SfScan& scan, const float* data, float* volume, bool add) const {
    if (scan.nz > 64)
      launch_adjoint<32, 4, 4, 2>(scan, data, volume, add, cuda_.stream());
    else if (scan.nz > 8)
      launch_adjoint<32, 1, 4, 2>(scan, data, volume, add, cuda_.stream());
    else
      launch_adjoint<4, 2, 8, 8>(scan, data, volume, add, cuda_.stream());
  }

  const CudaBackend& cuda_;
  std::unique_ptr<RowSource> rows_;
  SfTables tables_;
  DeviceBuffer<device::SfPose> views_;
  DeviceBuffer<float> inverse_cosine_;
};

}  // namespace

std::unique_ptr<Projector> make_cuda_separable_footprint(
    Backend& backend, std::shared_ptr<const ScanGeometry> geometry, const VolumeGrid& grid,
    const Params&) {
  require_turning(*geometry, "the separable footprint");
  return std::make_unique<CudaSeparableFootprint>(backend, std::move(geometry), grid);
}

}  // namespace gantry
