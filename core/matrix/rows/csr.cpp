// Compressed sparse rows (CSR), by views.
//   y_i = sum_k w_k x_{c_k}, row_start_i <= k < row_start_{i+1};   x_{c_k} += w_k y_i
// Sums are in float64. The contributions to a voxel are added in the order of the rays, whatever
// the number of threads.
#include "core/matrix/rows/csr.hpp"

#include "core/backend/cpu_backend.hpp"
#include "core/base/parallel_errors.hpp"
#include "core/matrix/rows/matrix_kernels.hpp"
#include "core/matrix/rows/view_csr.hpp"

#include <algorithm>

namespace gantry {

namespace {

/// The voxels in bands of equal size. Matrix columns ascend within a matrix row, so that a row's
/// nonzeros in a band are consecutive; a table holds where they begin. The transposed product goes
/// through the rows once for each portion of bands, whose sums stay in the cache.
struct Bands {
  std::size_t voxels, count, size;

  explicit Bands(std::size_t of)
      : voxels(of),
        count(std::clamp<std::size_t>(of / smallest, 1, most)),
        size((of + count - 1) / count) {}
  std::size_t first_voxel(std::size_t band) const { return std::min(band * size, voxels); }
  /// Returns the number of bands in a portion, which a thread takes at a time: with few threads
  /// long portions are faster.
  std::size_t at_once() const {
    const std::size_t shares = 3 * static_cast<std::size_t>(cpu_threads());
    return std::clamp<std::size_t>(count / shares, 1, std::max<std::size_t>(1, largest / size));
  }

 private:
  static constexpr std::size_t smallest = 8192, largest = 131072, most = 32;
};

/// The matrix rows of a view with the begin of each row's nonzeros in each band.
struct BandedRows {
  std::vector<std::uint32_t> start;  ///< [cell][band], then the number of nonzeros
  std::vector<std::uint32_t> column;
  std::vector<float> weight;

  BandedRows() = default;
  BandedRows(ViewCsr rows, const Bands& bands)
      : column(std::move(rows.column)), weight(std::move(rows.weight)) {
    const std::size_t cells = rows.row_start.size() - 1;
    start.reserve(cells * bands.count + 1);
    for (std::size_t cell = 0; cell < cells; ++cell) {
      std::uint32_t k = rows.row_start[cell];
      for (std::size_t band = 0; band < bands.count; ++band) {
        while (k < rows.row_start[cell + 1] && column[k] < bands.first_voxel(band)) ++k;
        start.push_back(k);
      }
    }
    start.push_back(rows.row_start[cells]);
  }
};

class Csr final : public Matrix {
 public:
  Csr(std::vector<BandedRows> views, Bands bands)
      : views_(std::move(views)),
        bands_(bands),
        cells_((views_.front().start.size() - 1) / bands.count) {}

  void multiply(const Array& x, Array& y, ViewSubset subset,
                const LinearOperator& interruptible) const override {
    constexpr std::size_t rows_at_once = 128;  // so that several threads can work on one view
    const std::size_t parts = (cells_ + rows_at_once - 1) / rows_at_once;
    const float* image = x.host().data();
    float* rays = y.host().data();
#pragma omp parallel for schedule(dynamic, 8)
    for (std::size_t i = 0; i < static_cast<std::size_t>(subset.count) * parts; ++i) {
      if (interruptible.interrupted()) continue;
      const auto v = static_cast<std::size_t>(subset.view(static_cast<int>(i / parts)));
      const std::size_t first = i % parts * rows_at_once,
                        last = std::min(first + rows_at_once, cells_);
      for (std::size_t cell = first; cell < last; ++cell)
        rays[v * cells_ + cell] = row_sum(views_[v], cell, image);
    }
  }

  void multiply_transposed(const Array& y, Array& x, ViewSubset subset,
                           const LinearOperator& interruptible) const override {
    const std::size_t at_once = bands_.at_once(), portions = (bands_.count + at_once - 1) / at_once;
    const float* rays = y.host().data();
    float* image = x.host().data();
    ParallelErrors errors;
#pragma omp parallel
    {
      std::vector<double> sums;
      errors.run([&] { sums.resize(at_once * bands_.size); });
#pragma omp for schedule(dynamic)
      for (std::size_t p = 0; p < portions; ++p)
        errors.run([&] {
          const std::size_t band = p * at_once, end = std::min(band + at_once, bands_.count),
                            first = bands_.first_voxel(band), last = bands_.first_voxel(end);
          std::ranges::fill(sums, 0.0);
          for (int i = 0; i < subset.count && !interruptible.interrupted(); ++i)
            add_view(static_cast<std::size_t>(subset.view(i)), rays, band, end, sums.data());
          for (std::size_t j = first; j < last; ++j) image[j] = static_cast<float>(sums[j - first]);
        });
    }
    errors.rethrow();
  }

  MatrixStorage storage() const override {
    MatrixStorage all;
    std::size_t starts = 0;
    for (const BandedRows& view : views_) {
      all.nonzeros += view.column.size();
      starts += view.start.size() * sizeof(std::uint32_t);
    }
    all.stored = all.nonzeros;
    all.parts = {{"weights", all.stored * sizeof(float)},
                 {"columns", all.stored * sizeof(std::uint32_t)},
                 {"row starts", starts}};
    return all;
  }

 private:
  float row_sum(const BandedRows& view, std::size_t cell, const float* image) const {
    const std::uint32_t first = view.start[cell * bands_.count],
                        last = view.start[(cell + 1) * bands_.count];
    return static_cast<float>(matrix_kernels().dot(
        view.weight.data() + first, view.column.data() + first, last - first, image));
  }

  /// Adds the contributions of view v to the voxels of bands band .. end - 1.
  void add_view(std::size_t v, const float* rays, std::size_t band, std::size_t end,
                double* sums) const {
    constexpr std::size_t rows_ahead = 2;
    const BandedRows& view = views_[v];
    const std::size_t before = bands_.first_voxel(band);
    const auto start = [&](std::size_t cell, std::size_t b) {
      return view.start[cell * bands_.count + b];
    };
    for (std::size_t cell = 0; cell < cells_; ++cell) {
      if (cell + rows_ahead < cells_)
        fetch(view, start(cell + rows_ahead, band), start(cell + rows_ahead, end));
      const std::uint32_t first = start(cell, band), last = start(cell, end);
      matrix_kernels().spread(view.weight.data() + first, view.column.data() + first, last - first,
                              rays[v * cells_ + cell], before, sums);
    }
  }
  /// Prefetches the entries of a row in a band: they are few, and the entries of the next row are
  /// far away, which the hardware prefetcher does not predict.
  static void fetch(const BandedRows& view, std::size_t first, std::size_t last) {
    constexpr std::size_t line = 16, most = 25 * line;  // values in a cache line
    for (std::size_t k = first; k < std::min(last, first + most); k += line) {
      __builtin_prefetch(view.weight.data() + k);
      __builtin_prefetch(view.column.data() + k);
    }
  }

  std::vector<BandedRows> views_;
  Bands bands_;
  std::size_t cells_;
};

class CsrFormat final : public MatrixFormat {
 public:
  std::size_t estimate_bytes(const NonzeroEstimate& estimate, const Projector&) const override {
    return static_cast<std::size_t>(8 * estimate.nonzeros) +
           4 * (estimate.rows * Bands(estimate.columns).count +
                static_cast<std::size_t>(estimate.views));
  }
  std::unique_ptr<const Matrix> build(const Projector& weights) const override {
    const Bands bands(weights.domain_size());
    std::vector<BandedRows> views(static_cast<std::size_t>(weights.views()));
    for_each_view_csr(weights, every_view(weights), [&](std::size_t i, ViewCsr rows) {
      views[i] = BandedRows(std::move(rows), bands);
    });
    return std::make_unique<Csr>(std::move(views), bands);
  }
};

}  // namespace

std::unique_ptr<MatrixFormat> make_csr(const Params&) { return std::make_unique<CsrFormat>(); }

}  // namespace gantry
