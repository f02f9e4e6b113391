#include "gpu/matrix/block_csr/block_csr.hpp"
#include "gpu/matrix/block_csr/block_csr_layout.cuh"

namespace gantry {

namespace {

class BlockCsrFormat final : public GatheredFormat<BlockCsrLayout> {
 public:
  std::size_t estimate_bytes(const NonzeroEstimate& estimate, const Projector&) const override {
    return sweep_table_bytes(estimate) + static_cast<std::size_t>(16 * estimate.nonzeros) +
           12 * (estimate.rows + estimate.columns);
  }
};

}  // namespace

std::unique_ptr<MatrixFormat> make_cuda_block_csr(const Params&) {
  return std::make_unique<BlockCsrFormat>();
}

}  // namespace gantry
