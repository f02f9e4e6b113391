#include "gpu/matrix/block_csr/block_csr_layout.cuh"
#include "gpu/matrix/ellr_t/ellr_layout.cuh"
#include "gpu/matrix/ellr_t/ellr_t.hpp"

namespace gantry {

namespace {

class EllrPairFormat final : public GatheredFormat<EllrLayout, EllrOptions> {
 public:
  explicit EllrPairFormat(const Params& params)
      : GatheredFormat({std::stoi(params.text("threads")), std::stoi(params.text("block"))}) {}

  /// All rows of A are padded to the longest. The longest row of the transpose, the voxel that most
  /// rays meet, has some 1.3 times the mean.
  std::size_t estimate_bytes(const NonzeroEstimate& estimate, const Projector&) const override {
    return sweep_table_bytes(estimate) +
           static_cast<std::size_t>(8 * (estimate.longest_row * static_cast<double>(estimate.rows) +
                                         1.4 * estimate.nonzeros) +
                                    4 * static_cast<double>(estimate.rows + estimate.columns));
  }
};

/// A in block CSR, its transpose in ELLR-T.
class EllrFormat final : public GatheredFormat<BlockCsrLayout, EllrOptions, EllrLayout> {
 public:
  explicit EllrFormat(const Params& params)
      : GatheredFormat({std::stoi(params.text("threads")), usual_threads}) {}

  std::size_t estimate_bytes(const NonzeroEstimate& estimate, const Projector&) const override {
    const double longest_over_mean = 1.4;  // of the rows of the transpose
    return sweep_table_bytes(estimate) +
           static_cast<std::size_t>(8 * (1 + longest_over_mean) * estimate.nonzeros +
                                    8.0 * options().threads *
                                        static_cast<double>(estimate.columns)) +
           12 * estimate.rows + 4 * estimate.columns;
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
