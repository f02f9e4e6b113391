#pragma once

#include "core/operator/column_access.hpp"
#include "core/operator/projector.hpp"
#include "gpu/base/cuda_backend.hpp"

#include <memory>

namespace gantry {

/// Returns the columns of a projector with single weights, stored voxel after voxel in the memory
/// of its device; of a stack, those of one slice. Throws UsageError as DeviceRows does, OutOfMemory
/// and Interrupted.
std::unique_ptr<ColumnAccess> cuda_stored_columns(const CudaBackend& cuda,
                                                  const Projector& projector, ColumnWorker worker);

}  // namespace gantry
