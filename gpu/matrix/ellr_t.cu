#include "gpu/kernels/ellr_t.cuh"
#include "gpu/matrix/device_sums.hpp"
#include "gpu/matrix/ellr_t.hpp"
#include "gpu/matrix/gathered.hpp"
#include "gpu/projectors/launch.hpp"

#include <bit>

namespace gantry {

namespace {

struct EllrOptions {
  int threads, block;
};

class EllrLayout {
 public:
  EllrLayout(const CudaBackend& cuda, const DeviceCsr& matrix, int, const EllrOptions& options)
      : cuda_(cuda), options_(options), rows_(matrix.rows), nonzeros_(matrix.nonzeros()) {
    const DeviceScope scope(cuda.device());
    const std::int64_t longest = longest_row(cuda, matrix.start);
    const auto slots = static_cast<std::size_t>((longest + options.threads - 1) / options.threads);
    entries_ = DeviceBuffer<int2>(
        cuda, slots * static_cast<std::size_t>(rows_) * static_cast<std::size_t>(options.threads),
        "a matrix in ELLR-T");
    length_ = DeviceBuffer<int>(cuda, static_cast<std::size_t>(rows_), "a matrix in ELLR-T");
    device::fill_ellr<<<blocks(rows_, 8), 256, 0, cuda.stream()>>>(
        matrix.view(), rows_, options.threads, entries_.data(), length_.data());
    check_launch("fill_ellr");
  }

  void multiply(const RowProduct& product) const {
    switch (options_.threads) {
      case 1:
        return launch<1>(product);
      case 2:
        return launch<2>(product);
      case 4:
        return launch<4>(product);
      case 8:
        return launch<8>(product);
      case 16:
        return launch<16>(product);
      default:
        return launch<32>(product);
    }
  }
  std::vector<MatrixPart> parts() const {
    return {{"entries", entries_.size() * sizeof(int2)}, {"lengths", length_.size() * sizeof(int)}};
  }
  std::uint64_t padding() const { return entries_.size() - static_cast<std::uint64_t>(nonzeros_); }
  device::EllrLines lines() const {
    return {entries_.data(), length_.data(), rows_,
            std::countr_zero(static_cast<unsigned>(options_.threads))};
  }
  static int places(int group) { return group; }

 private:
  template <int Threads>
  void launch(const RowProduct& product) const {
    if (product.filtered)
      launch<Threads, true>(product);
    else
      launch<Threads, false>(product);
  }
  template <int Threads, bool Filtered>
  void launch(const RowProduct& p) const {
    device::ellr_multiply<Threads, Filtered>
        <<<blocks(p.rows.rows() * Threads, options_.block), static_cast<unsigned>(options_.block),
           0, cuda_.stream()>>>(entries_.data(), length_.data(), rows_, p.rows,
                                device::Operand<Filtered>{p.in, p.operand}, p.out);
    check_launch("ellr_multiply");
  }

  const CudaBackend& cuda_;
  EllrOptions options_;
  std::int64_t rows_, nonzeros_;
  DeviceBuffer<int2> entries_;
  DeviceBuffer<int> length_;
};

class EllrFormat final : public MatrixFormat {
 public:
  explicit EllrFormat(const Params& params)
      : options_{std::stoi(params.text("threads")), std::stoi(params.text("block"))} {}

  /// W padded to the longest row; of the transpose, voxels are seen by some 1.3 times the mean.
  std::size_t estimate_bytes(const NonzeroEstimate& estimate, const Projector&) const override {
    return static_cast<std::size_t>(
        8 * (estimate.longest_row * static_cast<double>(estimate.rows) + 1.4 * estimate.nonzeros) +
        4 * static_cast<double>(estimate.rows + estimate.columns));
  }
  std::unique_ptr<const Matrix> build(const Projector& weights) const override {
    return std::make_unique<GatheredMatrix<EllrLayout, EllrOptions>>(
        cuda_backend(weights.backend()), weights, options_);
  }

 private:
  EllrOptions options_;
};

}  // namespace

std::vector<ParamSpec> cuda_ellr_t_params() {
  return {{.key = "threads",
           .label = "Threads a row (T)",
           .unit = "",
           .fallback = std::string("16"),
           .choices = {"1", "2", "4", "8", "16", "32"},
           .help = "So many threads add up a row together.",
           .in_names = "T"},
          {.key = "block",
           .label = "Block",
           .unit = "threads",
           .fallback = std::string("256"),
           .choices = {"64", "128", "256", "512"},
           .help = "Threads that a multiprocessor is given at once."}};
}

std::unique_ptr<MatrixFormat> make_cuda_ellr_t(const Params& params) {
  return std::make_unique<EllrFormat>(params);
}

}  // namespace gantry
