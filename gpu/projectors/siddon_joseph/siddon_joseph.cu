// Launches of the kernels of Siddon's and Joseph's projectors: interval kernels (siddon_joseph.cuh)
// where detector columns are parallel to z, otherwise tracing kernels (trace.cuh).
#include "core/projectors/siddon_joseph/plane_lines.hpp"
#include "gpu/access/cuda_columns.cuh"
#include "gpu/access/cuda_rows.cuh"
#include "gpu/base/device_buffer.hpp"
#include "gpu/base/launch.hpp"
#include "gpu/projectors/common/image_layouts.hpp"
#include "gpu/projectors/siddon_joseph/siddon_joseph.cuh"
#include "gpu/projectors/siddon_joseph/siddon_joseph.hpp"
#include "gpu/projectors/siddon_joseph/siddon_joseph_tables.hpp"
#include "gpu/projectors/siddon_joseph/trace.cuh"
#include "gpu/projectors/siddon_joseph/trace_tables.hpp"
#include "gpu/projectors/siddon_joseph/trace_variants.cuh"

#include <algorithm>

namespace gantry {

namespace {

namespace tuning = siddon_joseph;
using shapes::LineShape, shapes::RayShape;

using device::RayWeighting;
using device::SiddonJosephScan;
using device::TraceScan;

template <RayWeighting weights, bool Tall, RayShape s>
void launch_forward(const SiddonJosephScan& scan, const float* columns, float* rays,
                    cudaStream_t stream) {
  const dim3 grid(blocks(scan.columns, shapes::ray_threads / s.lanes),
                  blocks(scan.rows, s.rows_of_block()), static_cast<unsigned>(scan.views));
  device::siddon_joseph_forward<weights, Tall, s.lanes, s.rows>
      <<<grid, shapes::ray_threads, 0, stream>>>(scan, columns, rays);
  check_launch("siddon_joseph_forward");
}

template <RayWeighting weights, bool Tall>
void forward_columns(const SiddonJosephScan& scan, const float* columns, float* rays,
                     cudaStream_t stream) {
  if (scan.rows > tuning::many_rows)
    launch_forward<weights, Tall, tuning::forward_many_rows>(scan, columns, rays, stream);
  else if (scan.rows > tuning::few_rows)
    launch_forward<weights, Tall, tuning::forward_rows>(scan, columns, rays, stream);
  else
    launch_forward<weights, Tall, tuning::forward_few_rows>(scan, columns, rays, stream);
}

template <RayWeighting weights, LineShape s>
void launch_adjoint(const SiddonJosephScan& scan, const float* data, float* volume, bool add,
                    cudaStream_t stream) {
  const dim3 grid(blocks(scan.nx, s.lines_x), blocks(scan.ny, s.lines_y),
                  blocks(scan.nz, s.lanes * s.voxels));
  device::siddon_joseph_adjoint<weights, s.lanes, s.voxels, s.lines_x, s.lines_y>
      <<<grid, s.threads(), 0, stream>>>(scan, data, volume, add);
  check_launch("siddon_joseph_adjoint");
}

/// The single weights of a scan on the device: those of trace_model.hpp for either way of computing
/// products.
template <RayWeighting weights>
class TracedWeights {
 public:
  TracedWeights(const CudaBackend& cuda, TraceTables tables)
      : tables_(std::move(tables)), views_(cuda, tables_.views) {
    tables_.scan.view = views_.data();
  }
  const TraceScan& scan() const { return tables_.scan; }
  std::unique_ptr<ColumnAccess> columns(const CudaBackend& cuda, const Projector& projector,
                                        ColumnWorker worker) const {
    return std::make_unique<CudaColumns<device::TraceWeights<weights>>>(
        cuda, projector, device::TraceWeights<weights>{tables_.scan}, worker);
  }
  std::unique_ptr<RowAccess> rows(const CudaBackend& cuda, const Projector& projector,
                                  const RowWorkers& workers) const {
    const device::TraceWeights<weights> model{tables_.scan};
    if (workers.variant != RowVariant::plain)
      return std::make_unique<TraceVariantRows<weights>>(cuda, projector, model, workers);
    return std::make_unique<CudaRows<device::TraceWeights<weights>>>(cuda, projector, model,
                                                                     workers);
  }

 private:
  TraceTables tables_;
  DeviceBuffer<device::TraceView> views_;
};

template <RayWeighting weights>
class CudaSiddonJoseph final : public Projector, public GivesColumns, public GivesRows {
 public:
  CudaSiddonJoseph(Backend& backend, std::shared_ptr<const ScanGeometry> geometry,
                   const VolumeGrid& grid, SiddonJosephTables tables,
                   std::unique_ptr<RowSource> rows)
      : Projector(backend, std::move(geometry), grid),
        cuda_(cuda_backend(backend)),
        rows_(std::move(rows)),
        tables_(std::move(tables)),
        views_(cuda_, tables_.views),
        lines_(cuda_, tables_.lines),
        weights_(cuda_, TraceTables(this->geometry(), grid)),
        tall_(weights == RayWeighting::crossing && tables_.climb.voxels >= 1) {
    tables_.scan.view = views_.data();
    tables_.scan.line = lines_.data();
    tables_.views = {};
    tables_.lines = {};
  }

  const RowSource* row_source() const override { return rows_.get(); }
  std::unique_ptr<ColumnAccess> make_columns(ColumnWorker worker) const override {
    return std::make_unique<CudaColumns<device::IntervalColumns<weights>>>(
        cuda_, *this, device::IntervalColumns<weights>{tables_.scan, tables_.planar ? 1 : 0},
        worker);
  }
  std::unique_ptr<RowAccess> make_rows(const RowWorkers& workers) const override {
    return weights_.rows(cuda_, *this, workers);
  }
  std::size_t workspace_bytes() const override {
    return ray_projector_memory(geometry(), grid(), weights).bytes;
  }
  std::size_t scratch_bytes() const override {
    return ray_projector_memory(geometry(), grid(), weights).scratch_bytes;
  }

 private:
  int at_once() const { return views_at_once(views(), cells_per_view() * sizeof(float)); }

  void do_forward(const Array& x, Array& y, ViewSubset subset) const override {
    const DeviceScope scope(cuda_.device());
    const DeviceBuffer<float> image = forward_layout(cuda_, grid(), tables_.planar, x.data());
    for_parts(subset, most_views_of_launch, [&](ViewSubset views) {
      const SiddonJosephScan scan = part_of(tables_.scan, views);
      if (tables_.planar) {
        device::siddon_joseph_forward_plane<weights>
            <<<dim3(blocks(scan.columns, shapes::column_threads), 1,
                    static_cast<unsigned>(scan.views)),
               shapes::column_threads, 0, cuda_.stream()>>>(scan, x.data(), image.data(), y.data());
        check_launch("siddon_joseph_forward_plane");
      } else if (tall_) {
        forward_columns<weights, true>(scan, image.data(), y.data(), cuda_.stream());
      } else {
        forward_columns<weights, false>(scan, image.data(), y.data(), cuda_.stream());
      }
    });
  }

  void do_adjoint(const Array& y, Array& x, ViewSubset subset) const override {
    const DeviceScope scope(cuda_.device());
    const int at_once = std::min(this->at_once(), subset.count);
    DeviceBuffer<float> data(cuda_, cells_per_view() * static_cast<std::size_t>(at_once),
                             "the backprojection");
    bool add = false;
    for_parts(subset, at_once, [&](ViewSubset views) {
      const SiddonJosephScan scan = part_of(tables_.scan, views);
      device::interval_data<<<
          dim3(blocks(scan.columns, device::transpose_side),
               blocks(scan.rows, device::transpose_side), static_cast<unsigned>(scan.views)),
          dim3(device::transpose_side, device::transpose_rows), 0, cuda_.stream()>>>(scan, y.data(),
                                                                                     data.data());
      check_launch("interval_data");
      spread(scan, data.data(), x.data(), add);
      add = true;
      check_interrupt();
    });
  }

  void spread(const SiddonJosephScan& scan, const float* data, float* volume, bool add) const {
    const cudaStream_t stream = cuda_.stream();
    if (tables_.planar) {
      device::siddon_joseph_adjoint_plane<weights>
          <<<dim3(blocks(scan.nx, shapes::pixel_columns), blocks(scan.ny, shapes::pixel_lines)),
             dim3(shapes::pixel_columns, shapes::pixel_lines), 0, stream>>>(scan, data, volume,
                                                                            add);
      check_launch("siddon_joseph_adjoint_plane");
    } else if (scan.nz > shapes::many_slices) {
      launch_adjoint<weights, shapes::adjoint_many_slices>(scan, data, volume, add, stream);
    } else if (scan.nz > shapes::few_slices) {
      launch_adjoint<weights, shapes::adjoint_slices>(scan, data, volume, add, stream);
    } else {
      launch_adjoint<weights, shapes::adjoint_few_slices>(scan, data, volume, add, stream);
    }
  }

  const CudaBackend& cuda_;
  std::unique_ptr<RowSource> rows_;
  SiddonJosephTables tables_;
  DeviceBuffer<device::SiddonJosephView> views_;
  DeviceBuffer<device::SiddonJosephLine> lines_;
  TracedWeights<weights> weights_;
  bool tall_;
};

template <RayWeighting weights>
class CudaTraced final : public Projector, public GivesColumns, public GivesRows {
 public:
  CudaTraced(Backend& backend, std::shared_ptr<const ScanGeometry> geometry, const VolumeGrid& grid,
             std::unique_ptr<RowSource> rows)
      : Projector(backend, std::move(geometry), grid),
        cuda_(cuda_backend(backend)),
        rows_(std::move(rows)),
        weights_(cuda_, TraceTables(this->geometry(), grid)) {}

  /// The transpose adds to the voxels by atomics, in no fixed order.
  bool repeatable() const override { return false; }
  const RowSource* row_source() const override { return rows_.get(); }
  std::unique_ptr<ColumnAccess> make_columns(ColumnWorker worker) const override {
    return weights_.columns(cuda_, *this, worker);
  }
  std::unique_ptr<RowAccess> make_rows(const RowWorkers& workers) const override {
    return weights_.rows(cuda_, *this, workers);
  }
  std::size_t workspace_bytes() const override {
    return ray_projector_memory(geometry(), grid(), weights).bytes;
  }

 private:
  static dim3 shape(const TraceScan& scan) {
    return {blocks(scan.columns, tuning::trace_columns), blocks(scan.rows, tuning::trace_rows),
            static_cast<unsigned>(scan.views)};
  }

  void do_forward(const Array& x, Array& y, ViewSubset subset) const override {
    const DeviceScope scope(cuda_.device());
    for_parts(subset, most_views_of_launch, [&](ViewSubset views) {
      const TraceScan scan = part_of(weights_.scan(), views);
      device::trace_forward<weights>
          <<<shape(scan), dim3(tuning::trace_columns, tuning::trace_rows), 0, cuda_.stream()>>>(
              scan, x.data(), y.data());
      check_launch("trace_forward");
    });
  }

  void do_adjoint(const Array& y, Array& x, ViewSubset subset) const override {
    const DeviceScope scope(cuda_.device());
    backend().fill(x, 0.0F);
    for_parts(subset, most_views_of_launch, [&](ViewSubset views) {
      const TraceScan scan = part_of(weights_.scan(), views);
      device::trace_adjoint<weights>
          <<<shape(scan), dim3(tuning::trace_columns, tuning::trace_rows), 0, cuda_.stream()>>>(
              scan, y.data(), x.data());
      check_launch("trace_adjoint");
    });
  }

  const CudaBackend& cuda_;
  std::unique_ptr<RowSource> rows_;
  TracedWeights<weights> weights_;
};

template <RayWeighting weights>
std::unique_ptr<Projector> make(Backend& backend, std::shared_ptr<const ScanGeometry> geometry,
                                const VolumeGrid& grid, std::unique_ptr<RowSource> rows) {
  grid.validate("grid");
  require_source_outside(*geometry, grid);
  if (suits_interval_kernels(*geometry, grid, weights)) {
    SiddonJosephTables tables(*geometry, grid);
    return std::make_unique<CudaSiddonJoseph<weights>>(backend, std::move(geometry), grid,
                                                       std::move(tables), std::move(rows));
  }
  return std::make_unique<CudaTraced<weights>>(backend, std::move(geometry), grid, std::move(rows));
}

}  // namespace

std::unique_ptr<Projector> make_cuda_ray_projector(Backend& backend,
                                                   std::shared_ptr<const ScanGeometry> geometry,
                                                   const VolumeGrid& grid,
                                                   device::RayWeighting weights,
                                                   std::unique_ptr<RowSource> rows) {
  if (weights == device::RayWeighting::crossing)
    return make<device::RayWeighting::crossing>(backend, std::move(geometry), grid,
                                                std::move(rows));
  return make<device::RayWeighting::interpolated>(backend, std::move(geometry), grid,
                                                  std::move(rows));
}

ProductMemory ray_projector_memory(const ScanGeometry& geometry, const VolumeGrid& grid,
                                   device::RayWeighting weights) {
  const auto views = static_cast<std::size_t>(geometry.views());
  if (!suits_interval_kernels(geometry, grid, weights)) return {views * sizeof(device::TraceView)};
  const std::size_t image = forward_layout_size(grid, is_planar(geometry, grid));
  const auto at_once =
      static_cast<std::size_t>(views_at_once(geometry.views(), geometry.cells() * sizeof(float)));
  const auto columns = static_cast<std::size_t>(geometry.columns());
  const std::size_t tables = views * (sizeof(device::TraceView) + sizeof(device::SiddonJosephView) +
                                      columns * sizeof(device::SiddonJosephLine)),
                    scratch = sizeof(float) * std::max(image, geometry.cells() * at_once);
  return {.bytes = tables + scratch, .scratch_bytes = scratch};
}

}  // namespace gantry
