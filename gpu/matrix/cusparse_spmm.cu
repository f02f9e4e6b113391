#include "core/matrix/bsr.hpp"
#include "core/matrix/view_csr.hpp"
#include "core/projectors/stack.hpp"
#include "gpu/kernels/slice_columns.cuh"
#include "gpu/matrix/cusparse_spmm.hpp"
#include "gpu/matrix/device_rows.hpp"
#include "gpu/matrix/sparse_product.hpp"
#include "gpu/projectors/launch.hpp"

namespace gantry {

namespace {

class CusparseSpmm final : public Matrix {
 public:
  CusparseSpmm(const CudaBackend& cuda, const Projector& weights, int algorithm)
      : cuda_(cuda),
        layout_{weights.grid().nz, weights.geometry().columns(),
                std::int64_t{weights.grid().nx} * weights.grid().ny} {
    const auto slice = slice_of_stack(weights);
    weights.give_way();
    {
      const DeviceRows rows(cuda, *slice, every_view(*slice));
      rows_ = rows.rows();
      weights.give_way();
      columns_ = rows.columns();
    }
    weights.give_way();
    if (rows_.nonzeros() > 0) {
      forward_ = std::make_unique<SparseColumns>(cuda, rows_, layout_.slices, algorithm);
      back_ = std::make_unique<SparseColumns>(cuda, columns_, layout_.slices, algorithm);
    }
    const auto slices = static_cast<std::size_t>(layout_.slices);
    image_ = DeviceBuffer<float>(cuda, static_cast<std::size_t>(columns_.rows) * slices);
    rays_of_ = DeviceBuffer<float>(cuda, static_cast<std::size_t>(rows_.rows) * slices);
  }

  /// Of all views, whatever is asked for.
  void multiply(const Array& x, Array& y, ViewSubset subset,
                const LinearOperator& give) const override {
    give.give_way();
    const DeviceScope scope(cuda_.device());
    turn<false, false>(columns_.rows, range(subset), x.data(), image_.data());
    run(forward_.get(), image_, rays_of_);
    turn<true, true>(rows_.rows, range(subset), y.data(), rays_of_.data());
  }
  void multiply_transposed(const Array& y, Array& x, ViewSubset subset,
                           const LinearOperator& give) const override {
    give.give_way();
    const DeviceScope scope(cuda_.device());
    turn<true, false>(rows_.rows, range(subset), y.data(), rays_of_.data());
    run(back_.get(), rays_of_, image_);
    turn<false, true>(columns_.rows, range(subset), x.data(), image_.data());
  }

  MatrixStorage storage() const override {
    const auto nonzeros = static_cast<std::uint64_t>(rows_.nonzeros());
    MatrixStorage all{nonzeros * static_cast<std::uint64_t>(layout_.slices), nonzeros, 0, {}, 0};
    all.parts = {{"weights", nonzeros * sizeof(float)},
                 {"columns", nonzeros * sizeof(int)},
                 {"row starts", rows_.start.size() * sizeof(std::int64_t)},
                 {"transpose", columns_.bytes(), PartOf::transpose},
                 {"work space",
                  (forward_ ? forward_->bytes() + back_->bytes() : 0) +
                      (image_.size() + rays_of_.size()) * sizeof(float),
                  PartOf::workspace}};
    return all;
  }

 private:
  device::ViewRange range(ViewSubset subset) const {
    return {subset.first, subset.stride, subset.count, layout_.cells};
  }
  template <bool Rays, bool Back, class Natural, class Columns>
  void turn(std::int64_t count, device::ViewRange views, Natural* natural, Columns* columns) const {
    const dim3 grid(blocks(count, 32), blocks(layout_.slices, 32)), block(32, 8);
    device::turn_slices<Rays, Back>
        <<<grid, block, 0, cuda_.stream()>>>(layout_, count, views, natural, columns);
    check_launch("turn_slices");
  }
  void run(const SparseColumns* product, DeviceBuffer<float>& in, DeviceBuffer<float>& out) const {
    if (product != nullptr) return product->multiply(in.data(), out.data());
    check(cudaMemsetAsync(out.data(), 0, out.size() * sizeof(float), cuda_.stream()), "a product");
  }

  const CudaBackend& cuda_;
  device::SliceLayout layout_;
  DeviceCsr rows_, columns_;
  std::unique_ptr<SparseColumns> forward_, back_;
  mutable DeviceBuffer<float> image_, rays_of_;
};

class CusparseSpmmFormat final : public MatrixFormat {
 public:
  explicit CusparseSpmmFormat(const Params& params)
      : algorithm_(std::stoi(params.text("algorithm"))) {}

  void require(const Projector& weights) const override {
    require_shared_weights(weights, "CSR, cuSPARSE SpMM");
  }
  std::size_t estimate_bytes(const NonzeroEstimate& estimate,
                             const Projector& weights) const override {
    return static_cast<std::size_t>(16 * estimate.nonzeros / weights.grid().nz) +
           16 * (estimate.rows + estimate.columns);
  }
  std::unique_ptr<const Matrix> build(const Projector& weights) const override {
    return std::make_unique<CusparseSpmm>(cuda_backend(weights.backend()), weights, algorithm_);
  }
  /// cuSPARSE promises no order of its sums.
  bool repeatable() const override { return false; }

 private:
  int algorithm_;
};

}  // namespace

std::vector<ParamSpec> cusparse_spmm_params() {
  return {{.key = "algorithm",
           .label = "Algorithm",
           .unit = "",
           .fallback = std::string("3"),
           .choices = {"3", "2"},
           .help = "cuSPARSE's CSR_ALG3, the faster one here, or CSR_ALG2.",
           .in_names = "algorithm"}};
}

std::unique_ptr<MatrixFormat> make_cusparse_spmm(const Params& params) {
  return std::make_unique<CusparseSpmmFormat>(params);
}

}  // namespace gantry
