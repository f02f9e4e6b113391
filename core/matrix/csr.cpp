// Compressed sparse rows (CSR), by views.
//   y_i = sum_k w_k x_{c_k}, k from row_start_i to row_start_{i+1};   x_{c_k} += w_k y_i
// Sums are in float64; what a voxel gets is added in the order of the rays, whatever the threads.
#include "core/matrix/csr.hpp"

#include "core/backend/cpu_backend.hpp"
#include "core/matrix/view_csr.hpp"

#include <algorithm>

namespace gantry {

namespace {

class Csr final : public Matrix {
 public:
  Csr(std::vector<ViewCsr> views, std::size_t voxels) : views_(std::move(views)), voxels_(voxels) {}

  void multiply(const Array& x, Array& y, ViewSubset subset,
                const LinearOperator& give) const override {
    const float* image = x.host().data();
    float* rays = y.host().data();
#pragma omp parallel for schedule(dynamic)
    for (int i = 0; i < subset.count; ++i) {
      if (give.interrupted()) continue;
      const auto v = static_cast<std::size_t>(subset.view(i));
      const ViewCsr& view = views_[v];
      const std::size_t cells = view.row_start.size() - 1;
      for (std::size_t cell = 0; cell < cells; ++cell) {
        double sum = 0;
        for (std::uint32_t k = view.row_start[cell]; k < view.row_start[cell + 1]; ++k)
          sum += static_cast<double>(view.weight[k]) * image[view.column[k]];
        rays[v * cells + cell] = static_cast<float>(sum);
      }
    }
  }

  void multiply_transposed(const Array& y, Array& x, ViewSubset subset,
                           const LinearOperator& give) const override {
    // Bands small enough for the cache, and enough of them to share out.
    const std::size_t band = std::clamp<std::size_t>(
        voxels_ / (4 * static_cast<std::size_t>(cpu_threads())), 1024, 65536);
    const auto bands = static_cast<std::ptrdiff_t>((voxels_ + band - 1) / band);
    const float* rays = y.host().data();
    float* image = x.host().data();
#pragma omp parallel
    {
      std::vector<double> sums(band);
#pragma omp for schedule(dynamic)
      for (std::ptrdiff_t b = 0; b < bands; ++b) {
        if (give.interrupted()) continue;
        const std::size_t first = static_cast<std::size_t>(b) * band,
                          last = std::min(first + band, voxels_);
        std::ranges::fill(sums, 0.0);
        for (int i = 0; i < subset.count; ++i)
          add_view(static_cast<std::size_t>(subset.view(i)), rays, first, last, sums);
        for (std::size_t j = first; j < last; ++j) image[j] = static_cast<float>(sums[j - first]);
      }
    }
  }

  MatrixStorage storage() const override {
    MatrixStorage all;
    std::size_t starts = 0;
    for (const ViewCsr& view : views_) {
      all.nonzeros += view.nonzeros();
      starts += view.row_start.size() * sizeof(std::uint32_t);
    }
    all.stored = all.nonzeros;
    all.parts = {{"weights", all.stored * sizeof(float)},
                 {"columns", all.stored * sizeof(std::uint32_t)},
                 {"row starts", starts}};
    return all;
  }

 private:
  /// What the view gives to voxels first .. last - 1.
  void add_view(std::size_t v, const float* rays, std::size_t first, std::size_t last,
                std::vector<double>& sums) const {
    const ViewCsr& view = views_[v];
    const std::size_t cells = view.row_start.size() - 1;
    const std::uint32_t* columns = view.column.data();
    for (std::size_t cell = 0; cell < cells; ++cell) {
      const double ray = rays[v * cells + cell];
      const std::uint32_t* end = columns + view.row_start[cell + 1];
      const std::uint32_t* at = std::lower_bound(columns + view.row_start[cell], end, first);
      for (; at != end && *at < last; ++at) sums[*at - first] += view.weight[at - columns] * ray;
    }
  }

  std::vector<ViewCsr> views_;
  std::size_t voxels_;
};

class CsrFormat final : public MatrixFormat {
 public:
  std::size_t estimate_bytes(const NonzeroEstimate& estimate, const Projector&) const override {
    return static_cast<std::size_t>(8 * estimate.nonzeros) +
           4 * (estimate.rows + static_cast<std::size_t>(estimate.views));
  }
  std::unique_ptr<const Matrix> build(const Projector& weights) const override {
    std::vector<ViewCsr> views(static_cast<std::size_t>(weights.views()));
    for_each_view_csr(weights, every_view(weights),
                      [&](std::size_t i, ViewCsr rows) { views[i] = std::move(rows); });
    return std::make_unique<Csr>(std::move(views), weights.domain_size());
  }
};

}  // namespace

std::unique_ptr<MatrixFormat> make_csr(const Params&) { return std::make_unique<CsrFormat>(); }

}  // namespace gantry
