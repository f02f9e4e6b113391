// Launches of the separable-footprint kernels.
#include "core/projectors/separable_footprint/sf_rows.hpp"
#include "gpu/access/cuda_columns.cuh"
#include "gpu/access/cuda_rows.cuh"
#include "gpu/base/device_buffer.hpp"
#include "gpu/base/launch.hpp"
#include "gpu/projectors/common/image_layouts.hpp"
#include "gpu/projectors/separable_footprint/separable_footprint.cuh"
#include "gpu/projectors/separable_footprint/separable_footprint.hpp"
#include "gpu/projectors/separable_footprint/sf_tables.hpp"

#include <algorithm>

namespace gantry {

namespace {

namespace tuning = separable_footprint;
using device::SfScan;
using shapes::LineShape, shapes::RayShape;

template <bool Tall, RayShape s>
void launch_forward(const SfScan& scan, const float* columns, float* rays, cudaStream_t stream) {
  const dim3 grid(blocks(scan.columns, shapes::ray_threads / s.lanes),
                  blocks(scan.rows, s.rows_of_block()), static_cast<unsigned>(scan.views));
  device::sf_forward<Tall, s.lanes, s.rows>
      <<<grid, shapes::ray_threads, 0, stream>>>(scan, columns, rays);
  check_launch("sf_forward");
}

template <bool Tall>
void forward_columns(const SfScan& scan, const float* columns, float* rays, cudaStream_t stream) {
  if (scan.rows > tuning::many_rows)
    launch_forward<Tall, tuning::forward_many_rows>(scan, columns, rays, stream);
  else if (scan.rows > tuning::few_rows)
    launch_forward<Tall, tuning::forward_rows>(scan, columns, rays, stream);
  else
    launch_forward<Tall, tuning::forward_few_rows>(scan, columns, rays, stream);
}

template <LineShape s>
void launch_adjoint(const SfScan& scan, const float* data, float* volume, bool add,
                    cudaStream_t stream) {
  const dim3 grid(blocks(scan.nx, s.lines_x), blocks(scan.ny, s.lines_y),
                  blocks(scan.nz, s.lanes * s.voxels));
  device::sf_adjoint<s.lanes, s.voxels, s.lines_x, s.lines_y>
      <<<grid, s.threads(), 0, stream>>>(scan, data, volume, add);
  check_launch("sf_adjoint");
}

class CudaSeparableFootprint final : public Projector, public GivesColumns, public GivesRows {
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
  std::unique_ptr<ColumnAccess> make_columns(ColumnWorker worker) const override {
    return std::make_unique<CudaColumns<device::SfWeights>>(cuda_, *this, weights(), worker);
  }
  std::unique_ptr<RowAccess> make_rows(const RowWorkers& workers) const override {
    return std::make_unique<CudaRows<device::SfWeights>>(cuda_, *this, weights(), workers);
  }
  std::size_t workspace_bytes() const override {
    return cuda_separable_footprint_memory(geometry(), grid(), 0).bytes;
  }
  std::size_t scratch_bytes() const override {
    return cuda_separable_footprint_memory(geometry(), grid(), 0).scratch_bytes;
  }

 private:
  device::SfWeights weights() const {
    return {part_of(tables_.scan, all()), tables_.planar ? 1 : 0};
  }
  int at_once() const { return views_at_once(views(), cells_per_view() * sizeof(float)); }

  void do_forward(const Array& x, Array& y, ViewSubset subset) const override {
    const DeviceScope scope(cuda_.device());
    const DeviceBuffer<float> image = forward_layout(cuda_, grid(), tables_.planar, x.data());
    for_parts(subset, most_views_of_launch, [&](ViewSubset views) {
      const SfScan scan = part_of(tables_.scan, views);
      if (tables_.planar) {
        device::sf_forward_plane<<<dim3(blocks(scan.columns, shapes::column_threads), 1,
                                        static_cast<unsigned>(scan.views)),
                                   shapes::column_threads, 0, cuda_.stream()>>>(
            scan, x.data(), image.data(), y.data());
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
      device::sf_adjoint_plane<<<
          dim3(blocks(scan.nx, shapes::pixel_columns), blocks(scan.ny, shapes::pixel_lines)),
          dim3(shapes::pixel_columns, shapes::pixel_lines), 0, cuda_.stream()>>>(scan, y.data(),
                                                                                 x.data());
      check_launch("sf_adjoint_plane");
      return;
    }
    const int at_once = std::min(this->at_once(), subset.count);
    DeviceBuffer<float> data(cuda_, cells_per_view() * static_cast<std::size_t>(at_once),
                             "the backprojection");
    bool add = false;
    for_parts(subset, at_once, [&](ViewSubset views) {
      const SfScan scan = part_of(tables_.scan, views);
      device::sf_data<<<dim3(blocks(scan.columns, device::transpose_side),
                             blocks(scan.rows, device::transpose_side),
                             static_cast<unsigned>(scan.views)),
                        dim3(device::transpose_side, device::transpose_rows), 0, cuda_.stream()>>>(
          scan, y.data(), data.data());
      check_launch("sf_data");
      spread(scan, data.data(), x.data(), add);
      add = true;
      check_interrupt();
    });
  }

  void spread(const SfScan& scan, const float* data, float* volume, bool add) const {
    if (scan.nz > shapes::many_slices)
      launch_adjoint<shapes::adjoint_many_slices>(scan, data, volume, add, cuda_.stream());
    else if (scan.nz > shapes::few_slices)
      launch_adjoint<shapes::adjoint_slices>(scan, data, volume, add, cuda_.stream());
    else
      launch_adjoint<shapes::adjoint_few_slices>(scan, data, volume, add, cuda_.stream());
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

ProductMemory cuda_separable_footprint_memory(const ScanGeometry& geometry, const VolumeGrid& grid,
                                              int) {
  const bool planar = is_planar(geometry, grid);
  const std::size_t image = forward_layout_size(grid, planar), cells = geometry.cells(),
                    cosines = geometry.beam() == Beam::cone ? cells : 0;
  const auto at_once =
      static_cast<std::size_t>(views_at_once(geometry.views(), cells * sizeof(float)));
  const std::size_t scratch = sizeof(float) * std::max(image, planar ? 0 : cells * at_once),
                    tables = static_cast<std::size_t>(geometry.views()) * sizeof(device::SfPose) +
                             sizeof(float) * cosines;
  return {.bytes = tables + scratch, .scratch_bytes = scratch};
}

}  // namespace gantry
