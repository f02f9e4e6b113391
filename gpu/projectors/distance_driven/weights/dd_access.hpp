#pragma once

#include "core/operator/column_access.hpp"
#include "core/operator/projector.hpp"
#include "core/operator/row_access.hpp"

#include <memory>

namespace gantry {

/// Return access to the single columns and rows of a distance-driven projector on a CUDA device,
/// which must outlive it. The access holds tables of its own, and the access to columns also holds
/// the scaled rays of CudaColumns: cuda_dd_access_bytes() in all.
std::unique_ptr<ColumnAccess> make_cuda_dd_columns(const Projector& projector, ColumnWorker worker);
std::unique_ptr<RowAccess> make_cuda_dd_rows(const Projector& projector, const RowWorkers& workers);
std::size_t cuda_dd_access_bytes(const ScanGeometry& geometry);

}  // namespace gantry
