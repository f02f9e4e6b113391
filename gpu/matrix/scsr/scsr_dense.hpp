#pragma once

#include "core/matrix/symmetric/column_permutation.hpp"
#include "gpu/base/cuda_backend.hpp"
#include "gpu/matrix/scsr/stored_views.hpp"

#include <memory>
#include <string>

namespace gantry {

struct DenseOptions {
  std::string blocking;  ///< "global" or "view"
  ColumnOrder order;
  bool safe;  ///< else the transpose races, as cuART's does
};

/// The stored stored views in cuART's dense sub-matrices: laid out on the host
/// (core/matrix/symmetric/scsr_blocks.hpp), multiplied as it lies (scsr_dense.cuh). For
/// study.
std::unique_ptr<const Matrix> make_scsr_dense(const CudaBackend& cuda, const Projector& weights,
                                              const StoredViews& stored,
                                              const DenseOptions& options);

}  // namespace gantry
