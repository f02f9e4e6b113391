#include "core/matrix/rows/sliced_ell.hpp"

#include "core/matrix/rows/matrix_kernels.hpp"
#include "core/matrix/rows/sliced_rows.hpp"

namespace gantry {

namespace {

class SlicedEllFormat final : public MatrixFormat {
 public:
  std::size_t estimate_bytes(const NonzeroEstimate& estimate, const Projector&) const override {
    return static_cast<std::size_t>(sliced_rows_bytes(estimate)) + row_block_workspace(estimate);
  }
  std::unique_ptr<const Matrix> build(const Projector& weights) const override {
    return build_row_blocks(weights, [](const ViewCsr& rows) { return slice_rows(rows); });
  }
};

}  // namespace

std::unique_ptr<MatrixFormat> make_sliced_ell(const Params&) {
  return std::make_unique<SlicedEllFormat>();
}

}  // namespace gantry
