#pragma once

#include "core/matrix/matrix_format.hpp"

namespace gantry {

/// The base class of the formats of a CUDA device: a stack of slices is multiplied slice by slice.
class CudaFormat : public MatrixFormat {
 public:
  bool stacks(const Backend&) const override { return true; }
  std::unique_ptr<const Matrix> stacked(std::unique_ptr<const Matrix> slice,
                                        const Projector& weights,
                                        const SliceStack& stack) const override;
  std::unique_ptr<ColumnAccess> make_columns(const Projector& weights,
                                             ColumnWorker worker) const override;
};

}  // namespace gantry
