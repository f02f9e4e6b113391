// Launches of the area-integral kernels.
#include "core/backend/cpu_backend.hpp"
#include "core/base/error.hpp"
#include "core/projectors/area/area_integral.hpp"
#include "gpu/access/cuda_columns.cuh"
#include "gpu/access/cuda_rows.cuh"
#include "gpu/base/device_buffer.hpp"
#include "gpu/base/launch.hpp"
#include "gpu/projectors/area/area_integral.cuh"
#include "gpu/projectors/area/area_integral.hpp"
#include "gpu/projectors/area/area_tables.hpp"

#include <algorithm>

namespace gantry {

namespace {

class CudaAreaIntegral final : public Projector, public GivesColumns, public GivesRows {
 public:
  /// `definition` is the projector of the CPU, which supplies single matrix rows.
  CudaAreaIntegral(Backend& backend, std::shared_ptr<const ScanGeometry> geometry,
                   const VolumeGrid& grid, AreaWeights weights, std::unique_ptr<CpuBackend> host,
                   std::unique_ptr<Projector> definition)
      : Projector(backend, geometry, grid),
        cuda_(cuda_backend(backend)),
        host_(std::move(host)),
        definition_(std::move(definition)),
        tables_(*geometry, grid, weights),
        views_(cuda_, tables_.views),
        lines_(cuda_, tables_.lines),
        bands_(cuda_, tables_.bands) {
    tables_.scan.view = views_.data();
    tables_.scan.line = lines_.data();
    tables_.scan.band = bands_.data();
  }

  const RowSource* row_source() const override { return definition_->row_source(); }
  std::unique_ptr<ColumnAccess> make_columns(ColumnWorker worker) const override {
    return std::make_unique<CudaColumns<device::StripWeights>>(cuda_, *this, weights(), worker);
  }
  std::unique_ptr<RowAccess> make_rows(const RowWorkers& workers) const override {
    return std::make_unique<CudaRows<device::StripWeights>>(cuda_, *this, weights(), workers);
  }
  std::size_t workspace_bytes() const override { return AreaTables::bytes(geometry()); }

 private:
  device::StripWeights weights() const { return {part_of(tables_.scan, all())}; }

  void do_forward(const Array& x, Array& y, ViewSubset subset) const override {
    const DeviceScope scope(cuda_.device());
    for_parts(subset, most_views_of_launch, [&](ViewSubset views) {
      const device::AreaScan scan = part_of(tables_.scan, views);
      const dim3 grid(blocks(scan.columns, shapes::column_threads),
                      static_cast<unsigned>(std::min(scan.rows, most_along_grid)),
                      static_cast<unsigned>(scan.views));
      const auto kernel =
          scan.rows > most_along_grid ? device::area_forward<true> : device::area_forward<false>;
      kernel<<<grid, shapes::column_threads, 0, cuda_.stream()>>>(scan, x.data(), y.data());
      check_launch("area_forward");
    });
  }

  void do_adjoint(const Array& y, Array& x, ViewSubset subset) const override {
    const DeviceScope scope(cuda_.device());
    const device::AreaScan scan = part_of(tables_.scan, subset);
    const dim3 grid(blocks(scan.nx, shapes::pixel_columns), blocks(scan.ny, shapes::pixel_lines),
                    static_cast<unsigned>(std::min(scan.nz, most_along_grid)));
    device::
        area_adjoint<<<grid, dim3(shapes::pixel_columns, shapes::pixel_lines), 0, cuda_.stream()>>>(
            scan, y.data(), x.data());
    check_launch("area_adjoint");
  }

  const CudaBackend& cuda_;
  std::unique_ptr<CpuBackend> host_;
  std::unique_ptr<Projector> definition_;
  AreaTables tables_;
  DeviceBuffer<device::AreaPose> views_;
  DeviceBuffer<device::AreaLine> lines_;
  DeviceBuffer<device::AreaBand> bands_;
};

}  // namespace

std::unique_ptr<Projector> make_cuda_area_integral(Backend& backend,
                                                   std::shared_ptr<const ScanGeometry> geometry,
                                                   const VolumeGrid& grid, const Params& params) {
  auto host = std::make_unique<CpuBackend>();
  // The CPU's projector checks the parameters and throws UsageError for unsupported scans.
  auto definition = make_area_integral(*host, geometry, grid, params);
  return std::make_unique<CudaAreaIntegral>(
      backend, std::move(geometry), grid,
      params.text("normalisation") == "area" ? AreaWeights::area : AreaWeights::length,
      std::move(host), std::move(definition));
}

ProductMemory cuda_area_integral_memory(const ScanGeometry& geometry, const VolumeGrid&, int) {
  return {AreaTables::bytes(geometry)};
}

}  // namespace gantry
