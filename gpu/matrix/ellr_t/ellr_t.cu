#include "gpu/matrix/block_csr/block_csr_layout.cuh"
#include "gpu/matrix/ellr_t/ellr_layout.cuh"
#include "gpu/matrix/ellr_t/ellr_t.hpp"

namespace gantry {

namespace {

class EllrPairFormat final : public GatheredFormat<EllrLayout, EllrOptions> {
 public:
  explicit EllrPairFormat(const Params& params)
      : GatheredFormat({std::stoi(params.text("threads")), std::stoi(params.text("block"))}) {}

  std::size_t estimate_bytes(const NonzeroEstimate& estimate,
                             const Projector& weights) const override {
    const auto longest = static_cast<std::size_t>(estimate.longest_row(weights));
    return EllrLayout::bytes(estimate.rows, longest, options().threads) +
           EllrLayout::bytes(estimate.columns, estimate.of_lines(weights).longest(),
                             options().threads) +
           sweep_table_bytes(estimate);
  }
};

/// A in block CSR, its transpose in ELLR-T.
class EllrFormat final : public GatheredFormat<BlockCsrLayout, EllrOptions, EllrLayout> {
 public:
  explicit EllrFormat(const Params& params)
      : GatheredFormat({std::stoi(params.text("threads")), usual_threads}) {}

  std::size_t estimate_bytes(const NonzeroEstimate& estimate,
                             const Projector& weights) const override {
    return static_cast<std::size_t>(8 * estimate.nonzeros) + 12 * estimate.rows +
           EllrLayout::bytes(estimate.columns, estimate.of_lines(weights).longest(),
                             options().threads) +
           sweep_table_bytes(estimate);
  }
};

}  // namespace

std::vector<ParamSpec> cuda_ellr_t_pair_params() {
  return {{.key = "threads",
           .label = "Threads per row (T)",
           .unit = "",
           .fallback = std::string("16"),
           .choices = {"1", "2", "4", "8", "16", "32"},
           .help = "Number of threads that add up a matrix row together.",
           .in_names = "T"},
          {.key = "block",
           .label = "Block",
           .unit = "threads",
           .fallback = std::string("256"),
           .choices = {"64", "128", "256", "512"},
           .help = "Threads of a thread block."}};
}

std::unique_ptr<MatrixFormat> make_cuda_ellr_t(const Params& params) {
  return std::make_unique<EllrFormat>(params);
}

std::unique_ptr<MatrixFormat> make_cuda_ellr_t_pair(const Params& params) {
  return std::make_unique<EllrPairFormat>(params);
}

}  // namespace gantry
