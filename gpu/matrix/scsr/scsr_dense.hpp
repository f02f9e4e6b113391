#pragma once

#include "core/matrix/symmetric/column_permutation.hpp"
#include "gpu/base/cuda_backend.hpp"
#include "gpu/matrix/scsr/stored_views.hpp"

#include <memory>
#include <string>

namespace gantry {

/// Options of make_scsr_dense.
struct DenseOptions {
  std::string blocking;  ///< "global" or "view"
  ColumnOrder order;
  bool safe;   ///< false: additions of the backprojection race, as cuART's do
  bool fused;  ///< r = C (b - W x) and W^T r in one launch
};

/// Makes the matrix of the stored views in cuART's dense sub-matrices, which the host lays out
/// (core/matrix/symmetric/scsr_blocks.hpp) and kernels multiply in that layout (scsr_dense.cuh).
/// The layout serves published comparisons only.
std::unique_ptr<const Matrix> make_scsr_dense(const CudaBackend& cuda, const Projector& weights,
                                              const StoredViews& stored,
                                              const DenseOptions& options);

}  // namespace gantry
