#include "core/base/named_value.hpp"
#include "core/matrix/rows/view_csr.hpp"
#include "gpu/base/launch.hpp"
#include "gpu/matrix/cuda_format.hpp"
#include "gpu/matrix/cusparse/csr.cuh"
#include "gpu/matrix/cusparse/cusparse_csr.hpp"
#include "gpu/matrix/cusparse/sparse_product.hpp"
#include "gpu/matrix/rows/build_memory.hpp"
#include "gpu/matrix/rows/device_rows.hpp"
#include "gpu/matrix/rows/device_sums.hpp"
#include "gpu/matrix/sweeps/view_sweep.hpp"

#include <algorithm>

namespace gantry {

namespace {

enum class Transpose { stored, operation, convert };
constexpr std::pair<const char*, Transpose> transposes[] = {
    {"stored", Transpose::stored}, {"op", Transpose::operation}, {"convert", Transpose::convert}};

class CusparseCsr final : public Matrix {
 public:
  CusparseCsr(const CudaBackend& cuda, const Projector& weights, Transpose transpose)
      : cuda_(cuda),
        transpose_(transpose),
        views_(weights.views()),
        cells_(static_cast<int>(weights.cells_per_view())) {
    {
      const DeviceRows rows(cuda, weights, every_view(weights));
      rows_ = rows.rows();
      weights.check_interrupt();
      if (transpose == Transpose::stored) columns_ = rows.columns();
    }
    sweeps_ = transpose == Transpose::stored &&
              longest_row(cuda, columns_.start) <= device::longest_swept_column;
    weights.check_interrupt();
    forward_ = product(rows_, false);
    if (transpose == Transpose::operation) adjoint_ = product(rows_, true);
    if (transpose == Transpose::convert) transposer_ = std::make_unique<CsrTransposer>(cuda, rows_);
    if (transpose != Transpose::operation) adjoint_ = product(columns(), false);
  }

  void multiply(const Array& x, Array& y, ViewSubset subset,
                const LinearOperator& interruptible) const override {
    interruptible.check_interrupt();
    const DeviceScope scope(cuda_.device());
    if (forward_ && subset == ViewSubset::all(views_))
      return forward_->multiply(x.data(), y.data());
    const device::ViewRange views = range(subset);
    device::csr_forward<<<blocks(views.rows(), usual_warps), usual_threads, 0, cuda_.stream()>>>(
        rows_.view(), views, x.data(), y.data());
    check_launch("csr_forward");
  }

  void multiply_transposed(const Array& y, Array& x, ViewSubset subset,
                           const LinearOperator& interruptible) const override {
    interruptible.check_interrupt();
    const DeviceScope scope(cuda_.device());
    if (transposer_) transposer_->transpose();
    const bool has_all_views = subset == ViewSubset::all(views_);
    if (adjoint_ && has_all_views) return adjoint_->multiply(y.data(), x.data());
    const device::ViewRange views = range(subset);
    if (transpose_ == Transpose::operation) {
      check(cudaMemsetAsync(x.data(), 0, x.size() * sizeof(float), cuda_.stream()), "a product");
      device::csr_spread<<<blocks(views.rows(), usual_warps), usual_threads, 0, cuda_.stream()>>>(
          rows_.view(), views, y.data(), x.data());
      return check_launch("csr_spread");
    }
    if (has_all_views) {  // every entry counts: no voxel needs to look for its views
      const device::ViewRange voxels{0, 1, 1, static_cast<int>(columns().rows)};
      device::csr_forward<<<blocks(voxels.rows(), usual_warps), usual_threads, 0, cuda_.stream()>>>(
          columns().view(), voxels, y.data(), x.data());
      return check_launch("csr_forward");
    }
    device::csc_gather<<<blocks(columns().rows, usual_threads), usual_threads, 0, cuda_.stream()>>>(
        columns().view(), columns().rows, views, y.data(), x.data());
    check_launch("csc_gather");
  }

  /// Sweeps need the stored transpose and use kernels of our own (view_sweep.cuh) instead of
  /// cuSPARSE.
  std::unique_ptr<MatrixSweep> make_sweep(const SubsetUpdate& update,
                                          const LinearOperator& interruptible) const override {
    if (!sweeps_) return nullptr;
    const DeviceScope scope(cuda_.device());
    return std::make_unique<ViewSweep<device::CsrSweepRows>>(
        cuda_, views_, cells_, device::CsrSweepRows{rows_.view()}, cells_,
        device::CsrSweepRows{columns_.view()}, columns_.rows, update, interruptible);
  }
  int subsets_at_once(int) const override { return sweeps_ ? views_ : 1; }

  MatrixStorage storage() const override {
    const auto nonzeros = static_cast<std::uint64_t>(rows_.nonzeros());
    MatrixStorage all{nonzeros, nonzeros, 0, {}, 0};
    all.parts = {{"weights", nonzeros * sizeof(float)},
                 {"columns", nonzeros * sizeof(int)},
                 {"row starts", rows_.start.size() * sizeof(std::int64_t)}};
    if (transpose_ == Transpose::stored)
      all.parts.push_back({"transpose", columns_.bytes(), PartOf::transpose});
    if (transposer_) all.parts.push_back({"transpose", transposer_->bytes(), PartOf::transpose});
    all.parts.push_back({"work space",
                         (forward_ ? forward_->bytes() : 0) + (adjoint_ ? adjoint_->bytes() : 0),
                         PartOf::workspace});
    if (sweeps_)
      all.parts.push_back({"index of views per voxel",
                           ViewSweep<device::CsrSweepRows>::bytes(views_, columns_.rows),
                           PartOf::workspace});
    return all;
  }

 private:
  /// Returns null if the matrix is empty or has 2^31 nonzeros or more: cuSPARSE does not accept row
  /// starts of 64 bits with column indices of 32 bits. The kernels of csr.cuh then compute the
  /// products.
  std::unique_ptr<SparseProduct> product(const DeviceCsr& matrix, bool transposed) const {
    const bool is_taken = matrix.nonzeros() > 0 && matrix.nonzeros() < std::int64_t{1} << 31U;
    return is_taken
               ? std::make_unique<SparseProduct>(cuda_, SparseMatrix(cuda_, matrix), transposed)
               : nullptr;
  }
  device::ViewRange range(ViewSubset subset) const {
    return {subset.first, subset.stride, subset.count, cells_};
  }
  const DeviceCsr& columns() const { return transposer_ ? transposer_->matrix() : columns_; }

  const CudaBackend& cuda_;
  Transpose transpose_;
  int views_, cells_;
  DeviceCsr rows_, columns_;
  std::unique_ptr<CsrTransposer> transposer_;
  std::unique_ptr<SparseProduct> forward_, adjoint_;
  bool sweeps_ = false;
};

class CusparseFormat final : public CudaFormat {
 public:
  explicit CusparseFormat(Transpose transpose) : transpose_(transpose) {}

  std::size_t estimate_bytes(const NonzeroEstimate& estimate, const Projector&) const override {
    const double times = transpose_ == Transpose::stored      ? 2
                         : transpose_ == Transpose::operation ? 1
                                                              : 4;  // with csr2csc's own memory
    const std::size_t table = transpose_ == Transpose::stored ? sweep_table_bytes(estimate) : 0;
    return table + static_cast<std::size_t>(8 * estimate.nonzeros * times) +
           12 * (estimate.rows + estimate.columns);
  }
  std::size_t build_bytes(const NonzeroEstimate& estimate,
                          const Projector& weights) const override {
    const BuildMemory build(estimate, weights);
    return build.beyond(
        static_cast<double>(estimate_bytes(estimate, weights)),
        {build.tables + (transpose_ == Transpose::stored ? build.both() : build.rows)});
  }
  std::unique_ptr<const Matrix> build(const Projector& weights) const override {
    return std::make_unique<CusparseCsr>(cuda_backend(weights.backend()), weights, transpose_);
  }
  /// cuSPARSE's default algorithm does not promise an order of its sums.
  bool repeatable() const override { return false; }

 private:
  Transpose transpose_;
};

}  // namespace

std::vector<ParamSpec> cusparse_csr_params() {
  return {
      {.key = "transpose",
       .label = "Transpose",
       .unit = "",
       .fallback = std::string("stored"),
       .choices = {"stored", "op", "convert"},
       .help =
           "stored: a second matrix, the fastest. op: cuSPARSE's transposed product, which adds by "
           "atomic operations, so that results differ in rounding from run to run. convert: the "
           "transpose is computed by csr2csc before every product, as in published comparisons.",
       .in_names = "transpose"}};
}

std::unique_ptr<MatrixFormat> make_cusparse_csr(const Params& params) {
  return std::make_unique<CusparseFormat>(named_value(params.text("transpose"), transposes));
}

std::unique_ptr<MatrixFormat> make_cuda_csr(const Params&) {
  return std::make_unique<CusparseFormat>(Transpose::stored);
}

}  // namespace gantry
