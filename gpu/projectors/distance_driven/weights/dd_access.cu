// Launches of the access to single columns and rows of the distance-driven projectors.
#include "gpu/access/cuda_columns.cuh"
#include "gpu/access/cuda_rows.cuh"
#include "gpu/projectors/distance_driven/weights/dd_access.hpp"
#include "gpu/projectors/distance_driven/weights/dd_weight_tables.hpp"

namespace gantry {

namespace {

/// The weights of a projector, with their tables on its device.
struct DdDeviceWeights {
  DeviceBuffer<device::DdWeightView> views;
  DeviceBuffer<device::DdColumn> columns;
  device::DdWeights weights;

  DdDeviceWeights(const CudaBackend& cuda, const DdWeightTables& tables)
      : views(cuda, tables.views), columns(cuda, tables.columns), weights{tables.scan} {
    weights.scan.view = views.data();
    weights.scan.column = columns.data();
  }
};

std::shared_ptr<const DdDeviceWeights> on_device(const Projector& projector) {
  return std::make_shared<const DdDeviceWeights>(
      cuda_backend(projector.backend()), DdWeightTables(projector.geometry(), projector.grid()));
}

}  // namespace

std::unique_ptr<ColumnAccess> make_cuda_dd_columns(const Projector& projector,
                                                   ColumnWorker worker) {
  const auto held = on_device(projector);
  return std::make_unique<CudaColumns<device::DdWeights>>(cuda_backend(projector.backend()),
                                                          projector, held->weights, worker, held);
}

std::unique_ptr<RowAccess> make_cuda_dd_rows(const Projector& projector,
                                             const RowWorkers& workers) {
  const auto held = on_device(projector);
  return std::make_unique<CudaRows<device::DdWeights>>(cuda_backend(projector.backend()), projector,
                                                       held->weights, workers, held);
}

std::size_t cuda_dd_access_bytes(const ScanGeometry& geometry) {
  const std::size_t scaled_rays = geometry.rays() * sizeof(float);  // of CudaColumns
  return DdWeightTables::bytes(geometry) + scaled_rays;
}

}  // namespace gantry
