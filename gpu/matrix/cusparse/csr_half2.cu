// CSR of halves, for W and its transpose, multiplied with pairs of slices in half2 arithmetic, by a
// kernel of our own (half2_rows): chains of eight products are added up as halves, the chains in
// float32. The publication (Nourazar and Goossens 2021, section 4.3) applies half2 to the blocks of
// BSR.
#include "core/matrix/tiles/bsr.hpp"
#include "gpu/base/launch.hpp"
#include "gpu/matrix/cusparse/column_matrix.hpp"
#include "gpu/matrix/cusparse/csr_half2.hpp"
#include "gpu/matrix/cusparse/half2_rows.cuh"
#include "gpu/matrix/cusparse/half_weights.hpp"
#include "gpu/matrix/cusparse/tuning.hpp"
#include "gpu/matrix/rows/build_memory.hpp"
#include "gpu/matrix/rows/device_rows.hpp"

namespace gantry {

namespace {

/// Weights are at most 1 after division by the unit, and values below 2^15 headroom = 2^15 / 2 /
/// half2_chain. A chain of half2_chain products is then below 2^14, within the range of a half.
constexpr float headroom = 0.5F / device::half2_chain;

int columns_for(const Projector& weights) { return (weights.grid().nz + 1) / 2 * 2; }

class CsrHalf2 final : public ColumnMatrix {
 public:
  CsrHalf2(const CudaBackend& cuda, const Projector& weights)
      : ColumnMatrix(cuda, weights,
                     {.half = true, .columns = columns_for(weights), .headroom = headroom}) {
    RowsBothWays both = slice_both_ways(cuda, weights);
    rows_.csr = std::move(both.rows);
    columns_.csr = std::move(both.columns);
    for (Side* side : {&rows_, &columns_}) {
      weights.check_interrupt();
      side->halves = weights_as_halves(cuda, side->csr, unit());
    }
  }

 private:
  /// W or its transpose.
  struct Side {
    DeviceCsr csr;
    DeviceBuffer<__half> halves;
  };

  void product(const void* in, float* out) const override { run(rows_, in, out); }
  void transposed(const void* in, float* out) const override { run(columns_, in, out); }

  void run(const Side& side, const void* in, float* out) const {
    const int pairs = columns() / 2;
    const auto with = [&](auto lanes) {
      const dim3 grid(blocks(side.csr.rows, usual_warps), blocks(pairs, lanes));
      device::half2_rows<lanes><<<grid, usual_threads, 0, cuda().stream()>>>(
          {side.csr.start.data(), side.csr.index.data(), side.halves.data()}, side.csr.rows,
          static_cast<const __half2*>(in), pairs, reinterpret_cast<float2*>(out));
    };
    if (pairs == cusparse::one_pair)
      with(std::integral_constant<int, cusparse::one_pair>{});
    else if (pairs <= cusparse::few_pairs)
      with(std::integral_constant<int, cusparse::few_pairs>{});
    else
      with(std::integral_constant<int, cusparse::many_pairs>{});
    check_launch("half2_rows");
  }

  MatrixStorage stored() const override {
    const auto nonzeros = static_cast<std::uint64_t>(rows_.csr.nonzeros());
    MatrixStorage all{nonzeros, nonzeros, 0, {}, 0};
    all.parts = {{"weights", nonzeros * sizeof(__half)},
                 {"columns", nonzeros * sizeof(int)},
                 {"row starts", rows_.csr.start.size() * sizeof(std::int64_t)},
                 {"transpose",
                  nonzeros * (sizeof(__half) + sizeof(int)) +
                      columns_.csr.start.size() * sizeof(std::int64_t),
                  PartOf::transpose}};
    return all;
  }

  Side rows_, columns_;
};

class CsrHalf2Format final : public MatrixFormat {
 public:
  void require(const Projector& weights) const override {
    require_shared_weights(weights, "CSR, half2");
  }
  std::size_t estimate_bytes(const NonzeroEstimate& estimate,
                             const Projector& weights) const override {
    const double lines = static_cast<double>(estimate.rows + estimate.columns);
    return static_cast<std::size_t>(
        (12 * estimate.nonzeros + 8 * lines) / weights.grid().nz +
        ColumnMatrix::vector_bytes(estimate, weights, columns_for(weights)));
  }
  /// The weights of a matrix are converted while those of the other are float32.
  std::size_t build_bytes(const NonzeroEstimate& estimate,
                          const Projector& weights) const override {
    const BuildMemory build(estimate, weights, weights.grid().nz);
    const auto stated = static_cast<double>(estimate_bytes(estimate, weights));
    const double vectors = ColumnMatrix::vector_bytes(estimate, weights, columns_for(weights));
    return build.beyond(stated, {vectors + build.tables + build.both(),
                                 vectors + build.both() + sizeof(__half) * build.nonzeros});
  }
  std::unique_ptr<const Matrix> build(const Projector& weights) const override {
    return std::make_unique<CsrHalf2>(cuda_backend(weights.backend()), weights);
  }
  /// Weights and vectors have 11 bits, and so have the sums of eight products.
  double rounding() const override { return 0x1p-9; }
};

}  // namespace

std::unique_ptr<MatrixFormat> make_csr_half2(const Params&) {
  return std::make_unique<CsrHalf2Format>();
}

}  // namespace gantry
