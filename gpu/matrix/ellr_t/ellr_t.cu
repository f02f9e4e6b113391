#include "gpu/matrix/block_csr/block_csr_layout.cuh"
#include "gpu/matrix/ellr_t/ellr_layout.cuh"
#include "gpu/matrix/ellr_t/ellr_t.hpp"

namespace gantry {

namespace {

EllrOptions options_of(const Params& params) {
  return {std::stoi(params.text("threads")), std::stoi(params.text("block")),
          params.text("operand") == "texture"};
}

template <int Together>
class EllrPairFormat final : public GatheredFormat<EllrLayout<Together>, EllrOptions> {
 public:
  explicit EllrPairFormat(const Params& params)
      : GatheredFormat<EllrLayout<Together>, EllrOptions>(options_of(params)) {}

  void require(const Projector& weights) const override {
    GatheredFormat<EllrLayout<Together>, EllrOptions>::require(weights);
    if (!this->options().textured) return;
    const auto most = LinearTextures::longest_vector(cuda_backend(weights.backend()));
    if (std::max(weights.domain_size(), weights.range_size()) > most)
      throw UsageError(
          "ELLR-T reads no more than " + std::to_string(most) + " rays or voxels by a texture",
          "operand", "use memory");
  }
  std::size_t estimate_bytes(const NonzeroEstimate& estimate,
                             const Projector& weights) const override {
    const int threads = this->options().threads;
    const auto longest = static_cast<std::size_t>(estimate.longest_row(weights));
    return EllrLayout<Together>::bytes(estimate.rows, longest, threads) +
           EllrLayout<Together>::bytes(estimate.columns, estimate.of_lines(weights).longest(),
                                       threads) +
           sweep_table_bytes(estimate);
  }
};

/// A in block CSR, its transpose in ELLR-T.
class EllrFormat final : public GatheredFormat<BlockCsrLayout, EllrOptions, EllrLayout<1>> {
 public:
  explicit EllrFormat(const Params& params)
      : GatheredFormat({std::stoi(params.text("threads")), usual_threads}) {}

  std::size_t estimate_bytes(const NonzeroEstimate& estimate,
                             const Projector& weights) const override {
    return static_cast<std::size_t>(8 * estimate.nonzeros) + 12 * estimate.rows +
           EllrLayout<1>::bytes(estimate.columns, estimate.of_lines(weights).longest(),
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
           .help = "Threads of a thread block."},
          {.key = "together",
           .label = "Entries at a time",
           .unit = "",
           .fallback = std::string("1"),
           .choices = {"1", "4"},
           .help = "Entries that a thread reads at a time: one (int2), or four (int4 and float4), "
                   "as published; rows are padded to a multiple of these.",
           .in_names = ""},
          {.key = "operand",
           .label = "Vector by",
           .unit = "",
           .fallback = std::string("memory"),
           .choices = {"memory", "texture"},
           .help = "How the vector is read; by a texture, as published.",
           .in_names = ""}};
}

std::unique_ptr<MatrixFormat> make_cuda_ellr_t(const Params& params) {
  return std::make_unique<EllrFormat>(params);
}

std::unique_ptr<MatrixFormat> make_cuda_ellr_t_pair(const Params& params) {
  if (params.text("together") == "4") return std::make_unique<EllrPairFormat<4>>(params);
  return std::make_unique<EllrPairFormat<1>>(params);
}

}  // namespace gantry
