// Square blocks of halves, every block row padded to the longest one, multiplied with all slices of
// a stack by cuSPARSE's SpMM for Blocked-ELL, which uses Tensor Cores. cuSPARSE has no product with
// the transpose of this format, so the transpose is stored as well. Input in halves, output in
// float32.
#include "core/matrix/inspect/square_pattern.hpp"
#include "core/matrix/rows/view_csr.hpp"
#include "core/matrix/tiles/bsr.hpp"
#include "core/operator/slice_stack.hpp"
#include "gpu/matrix/cusparse/column_matrix.hpp"
#include "gpu/matrix/cusparse/cusparse_bell.hpp"
#include "gpu/matrix/cusparse/sparse_product.hpp"
#include "gpu/matrix/cusparse/square_blocks.hpp"
#include "gpu/matrix/rows/build_memory.hpp"
#include "gpu/matrix/rows/device_rows.hpp"

#include <algorithm>

namespace gantry {

namespace {

struct Options {
  int side;
  std::string order;
};

/// Returns the columns of a product, at least 32: with 8 columns, products of 512^2 pixels took
/// 14.0 and 3.6 ms, with 32 columns 7.7 and 3.0 ms (H200).
int columns_for(const Projector& weights) { return fast_columns(std::max(32, weights.grid().nz)); }

ColumnForm form_of(const Projector& weights, int columns, const Options& options) {
  const BlockOrderKind kind = block_order_kind(options.order);
  return {.half = true,
          .columns = columns,
          .rays = ray_order(weights.geometry(), kind),
          .pixels = pixel_order(weights.grid(), kind),
          .multiple_of = options.side};
}

class CusparseBell final : public ColumnMatrix {
 public:
  CusparseBell(const CudaBackend& cuda, const Projector& weights, const Projector& slice,
               const ColumnForm& form, int side)
      : ColumnMatrix(cuda, weights, form) {
    weights.check_interrupt();
    const DeviceRows weights_of(cuda, slice, every_view(slice));
    const DeviceBuffer<int> ray_place = put(form.rays.position),
                            pixel_place = put(form.pixels.position);
    {
      const DeviceCsr rows = weights_of.rows();
      nonzeros_ = static_cast<std::uint64_t>(rows.nonzeros());
      weights.check_interrupt();
      forward_ = lay_out(rows, ray_at(), ray_positions(), pixel_place, pixel_positions(), side);
    }
    weights.check_interrupt();
    const DeviceCsr rows = weights_of.columns();
    weights.check_interrupt();
    back_ = lay_out(rows, pixel_at(), pixel_positions(), ray_place, ray_positions(), side);
  }

 private:
  /// W or its transpose.
  struct Side {
    std::unique_ptr<const SquareBlocks> blocks;
    std::unique_ptr<SparseProduct> product;
  };

  DeviceBuffer<int> put(const std::vector<std::int32_t>& values) const {
    return {cuda(), std::span<const int>(values), "a stored matrix"};
  }
  Side lay_out(const DeviceCsr& rows, const int* row_at, std::int64_t row_places,
               const DeviceBuffer<int>& column_place, std::int64_t column_places, int side) const {
    auto blocks = std::make_unique<const SquareBlocks>(cuda(), rows, row_at, row_places,
                                                       column_place, column_places, side, unit());
    auto product = std::make_unique<SparseProduct>(cuda(), SparseMatrix(*blocks), columns(), 0);
    return {std::move(blocks), std::move(product)};
  }
  void product(const void* in, float* out) const override { forward_.product->multiply(in, out); }
  void transposed(const void* in, float* out) const override { back_.product->multiply(in, out); }

  MatrixStorage stored() const override {
    MatrixStorage all{nonzeros_, nonzeros_, forward_.blocks->weight.size() - nonzeros_, {}, 0};
    all.parts = {
        {"weights", forward_.blocks->weight.size() * sizeof(__half)},
        {"columns", forward_.blocks->column.size() * sizeof(int)},
        {"transpose", back_.blocks->bytes(), PartOf::transpose},
        {"work space", forward_.product->bytes() + back_.product->bytes(), PartOf::workspace}};
    return all;
  }

  std::uint64_t nonzeros_ = 0;
  Side forward_, back_;
};

class CusparseBellFormat final : public MatrixFormat {
 public:
  explicit CusparseBellFormat(const Params& params)
      : options_{std::stoi(params.text("block")), params.text("order")} {}

  void require(const Projector& weights) const override {
    require_shared_weights(weights, "Blocked-ELL, cuSPARSE");
    if (cuda_backend(weights.backend()).compute_capability() < 70)
      throw UsageError("Blocked-ELL, cuSPARSE, needs a GPU of compute capability 7.0 or later",
                       "format", "use another format");
  }
  std::size_t estimate_bytes(const NonzeroEstimate& estimate,
                             const Projector& weights) const override {
    const double squares = estimate.quantity(
        "squares in order " + options_.order + ", " + std::to_string(options_.side), [&] {
          const SquarePattern pattern = estimate_squares(weights, options_.order, options_.side);
          return pattern.bytes() + 4 * (pattern.rows + pattern.columns);
        });
    return static_cast<std::size_t>(
        squares + ColumnMatrix::vector_bytes(estimate, weights, columns_for(weights)));
  }
  /// The blocks of each of both matrices are filled from its CSR matrix.
  std::size_t build_bytes(const NonzeroEstimate& estimate,
                          const Projector& weights) const override {
    const BuildMemory build(estimate, weights, weights.grid().nz);
    const auto stated = static_cast<double>(estimate_bytes(estimate, weights));
    return build.beyond(stated, {stated + build.tables + build.columns});
  }
  std::unique_ptr<const Matrix> build(const Projector& weights) const override {
    const auto slice = slice_of_stack(weights);
    return std::make_unique<CusparseBell>(cuda_backend(weights.backend()), weights, *slice,
                                          form_of(*slice, columns_for(weights), options_),
                                          options_.side);
  }
  /// As for bsr_half.
  double rounding() const override { return 0x1p-10; }
  /// cuSPARSE does not promise an order of its sums.
  bool repeatable() const override { return false; }

 private:
  Options options_;
};

}  // namespace

std::vector<ParamSpec> cusparse_bell_params() {
  return {{.key = "block",
           .label = "Blocks",
           .unit = "",
           .fallback = std::string("32x32"),
           .choices = {"32x32", "16x16"},
           .help = "Rays and pixels of a block. A block with any nonzero is stored whole, and each "
                   "row of blocks is padded to the longest. Blocks of 16 take less memory, blocks "
                   "of 32 less time.",
           .in_names = ""},
          block_order_param()};
}

std::unique_ptr<MatrixFormat> make_cusparse_bell(const Params& params) {
  return std::make_unique<CusparseBellFormat>(params);
}

}  // namespace gantry
