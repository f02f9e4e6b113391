// CSR of one slice and of its transpose, multiplied with the slices of a stack by cuSPARSE: all
// slices at once (SpMM) or one after the other (SpMV), with weights and vectors in float32 or in
// halves. With halves, the product has halves as input and float32 as output and sums, since an
// output of halves would overflow. Rays and pixels may have an order in which neighbouring matrix
// rows read neighbouring pixels, which the caches of the device then hold.
#include "core/matrix/tiles/bsr.hpp"
#include "core/operator/slice_stack.hpp"
#include "gpu/matrix/cusparse/column_matrix.hpp"
#include "gpu/matrix/cusparse/cusparse_spmm.hpp"
#include "gpu/matrix/cusparse/half_weights.hpp"
#include "gpu/matrix/cusparse/permuted_rows.hpp"
#include "gpu/matrix/cusparse/sparse_product.hpp"
#include "gpu/matrix/rows/build_memory.hpp"
#include "gpu/matrix/rows/device_rows.hpp"

namespace gantry {

namespace {

struct Options {
  bool half, vectors;  ///< vectors: one slice after the other (SpMV)
  int algorithm;
  std::string order;

  bool reordered() const { return order != "natural"; }
  int columns(const Projector& weights) const {
    return vectors ? 1 : fast_columns(weights.grid().nz);
  }
  ColumnForm form(const Projector& weights) const {
    ColumnForm form{.together = vectors ? 1 : 0, .half = half, .columns = columns(weights)};
    if (!reordered()) return form;
    const auto slice = slice_of_stack(weights);
    form.rays = ray_order(slice->geometry(), block_order_kind(order));
    form.pixels = pixel_order(slice->grid(), block_order_kind(order));
    return form;
  }
};

class CusparseSpmm final : public ColumnMatrix {
 public:
  CusparseSpmm(const CudaBackend& cuda, const Projector& weights, const Options& options,
               const ColumnForm& form)
      : ColumnMatrix(cuda, weights, form) {
    RowsBothWays both = slice_both_ways(cuda, weights);
    if (options.reordered()) {
      both.rows = permuted(cuda, both.rows, ray_at(), ray_positions(), put(form.pixels.position),
                           pixel_positions());
      weights.check_interrupt();
      both.columns = permuted(cuda, both.columns, pixel_at(), pixel_positions(),
                              put(form.rays.position), ray_positions());
    }
    rows_.csr = std::move(both.rows);
    columns_.csr = std::move(both.columns);
    for (Side* side : {&rows_, &columns_}) {
      weights.check_interrupt();
      prepare(*side, options);
    }
  }

 private:
  /// W or its transpose.
  struct Side {
    DeviceCsr csr;
    DeviceBuffer<__half> halves;
    std::unique_ptr<SparseProduct> product;

    std::size_t weight_bytes() const {
      return csr.weight.size() * sizeof(float) + halves.size() * sizeof(__half);
    }
  };

  DeviceBuffer<int> put(const std::vector<std::int32_t>& values) const {
    return {cuda(), std::span<const int>(values), "a stored matrix"};
  }
  void prepare(Side& side, const Options& options) {
    if (side.csr.nonzeros() == 0) return;
    if (options.half) side.halves = weights_as_halves(cuda(), side.csr, unit());
    SparseMatrix matrix(cuda(), side.csr, options.half ? side.halves.data() : nullptr);
    side.product = options.vectors
                       ? std::make_unique<SparseProduct>(cuda(), std::move(matrix), false)
                       : std::make_unique<SparseProduct>(cuda(), std::move(matrix), columns(),
                                                         options.algorithm);
  }
  void run(const Side& side, const void* in, float* out) const {
    if (side.product) return side.product->multiply(in, out);
    const std::size_t count =
        static_cast<std::size_t>(side.csr.rows) * static_cast<std::size_t>(columns());
    check(cudaMemsetAsync(out, 0, count * sizeof(float), cuda().stream()), "a product");
  }
  void product(const void* in, float* out) const override { run(rows_, in, out); }
  void transposed(const void* in, float* out) const override { run(columns_, in, out); }

  MatrixStorage stored() const override {
    const auto nonzeros = static_cast<std::uint64_t>(rows_.csr.nonzeros());
    MatrixStorage all{nonzeros, nonzeros, 0, {}, 0};
    all.parts = {{"weights", rows_.weight_bytes()},
                 {"columns", nonzeros * sizeof(int)},
                 {"row starts", rows_.csr.start.size() * sizeof(std::int64_t)},
                 {"transpose",
                  columns_.weight_bytes() + nonzeros * sizeof(int) +
                      columns_.csr.start.size() * sizeof(std::int64_t),
                  PartOf::transpose}};
    if (rows_.product)
      all.parts.push_back(
          {"work space", rows_.product->bytes() + columns_.product->bytes(), PartOf::workspace});
    return all;
  }

  Side rows_, columns_;
};

class CusparseSpmmFormat final : public MatrixFormat {
 public:
  explicit CusparseSpmmFormat(const Params& params)
      : options_{params.text("product").ends_with("half"),
                 params.text("product").starts_with("spmv"), std::stoi(params.text("algorithm")),
                 params.text("order")} {}

  void require(const Projector& weights) const override {
    require_shared_weights(weights, "CSR, cuSPARSE SpMM");
  }
  std::size_t estimate_bytes(const NonzeroEstimate& estimate,
                             const Projector& weights) const override {
    const double each = (options_.half ? 12 : 16) * estimate.nonzeros / weights.grid().nz;
    const ColumnForm form = options_.form(weights);
    return static_cast<std::size_t>(
        each + ColumnMatrix::position_bytes(estimate, weights, form, 12 + 4 * form.columns));
  }
  /// Both matrices are computed, then reordered one after the other, then converted one after the
  /// other.
  std::size_t build_bytes(const NonzeroEstimate& estimate,
                          const Projector& weights) const override {
    const BuildMemory build(estimate, weights, weights.grid().nz);
    const ColumnForm form = options_.form(weights);
    const double vectors =
        ColumnMatrix::position_bytes(estimate, weights, form, 4.0 * form.columns);
    return build.beyond(
        static_cast<double>(estimate_bytes(estimate, weights)),
        {vectors + build.tables + build.both(),
         vectors + build.both() + (options_.reordered() ? build.columns : 0),
         vectors + build.both() + (options_.half ? sizeof(__half) * build.nonzeros : 0)});
  }
  std::unique_ptr<const Matrix> build(const Projector& weights) const override {
    return std::make_unique<CusparseSpmm>(cuda_backend(weights.backend()), weights, options_,
                                          options_.form(weights));
  }
  /// As for bsr_half.
  double rounding() const override { return options_.half ? 0x1p-10 : 1e-6; }
  /// cuSPARSE does not promise an order of its sums.
  bool repeatable() const override { return false; }

 private:
  Options options_;
};

}  // namespace

std::vector<ParamSpec> cusparse_spmm_params() {
  return {
      {.key = "product",
       .label = "Products",
       .unit = "",
       .fallback = std::string("spmm"),
       .choices = {"spmm", "spmm-half", "spmv", "spmv-half"},
       .help = "spmm: all slices at once; spmv: one after the other. With half, weights and "
               "vectors have half precision (11 bits; each slice is scaled by a power of two) and "
               "sums float32.",
       .in_names = ""},
      {.key = "algorithm",
       .label = "Algorithm",
       .unit = "",
       .fallback = std::string("3"),
       .choices = {"3", "2"},
       .help =
           "Algorithm of spmm: 3 is cuSPARSE's CSR_ALG3, usually the faster one; 2 is CSR_ALG2.",
       .in_names = "algorithm"},
      {.key = "order",
       .label = "Order",
       .unit = "",
       .fallback = std::string("natural"),
       .choices = block_order_param().choices,
       .help = "Order of the matrix rows and columns, and of the vectors between the products; "
               "natural: that of the scan and of the image; pseudo-morton, folded: that of the "
               "blocks of BSR, in which neighbouring rows read neighbouring pixels.",
       .in_names = "order"}};
}

std::unique_ptr<MatrixFormat> make_cusparse_spmm(const Params& params) {
  return std::make_unique<CusparseSpmmFormat>(params);
}

}  // namespace gantry
