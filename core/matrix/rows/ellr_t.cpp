// The transposed product with ELLR-T, N voxels, rl_j entries of voxel j:
//   x_j = sum_{e < rl_j} w_{at(j, e)} y_{ray_{at(j, e)}},   at(j, e) = (e / T) N T + j T + e mod T
#include "core/matrix/rows/ellr_t.hpp"

#include "core/backend/cpu_backend.hpp"
#include "core/base/error.hpp"
#include "core/matrix/rows/block_csr.hpp"
#include "core/operator/row_norms.hpp"

#include <algorithm>
#include <array>
#include <limits>

namespace gantry {

namespace {

/// A^T in ELLR-T. Rays are numbered through all views.
class Ellr {
 public:
  Ellr(const Projector& weights, const std::vector<ViewCsr>& views, std::size_t threads)
      : voxels_(weights.domain_size()),
        cells_(weights.cells_per_view()),
        threads_(threads),
        length_(voxels_, 0U) {
    for_each_entry(weights, views, [&](std::size_t j, std::uint32_t, float) { ++length_[j]; });
    const std::size_t longest = *std::ranges::max_element(length_);
    slots_ = (longest + threads - 1) / threads;
    try {
      weight_.assign(voxels_ * slots_ * threads, 0.0F);
      ray_.assign(voxels_ * slots_ * threads, 0U);
    } catch (const std::bad_alloc&) {
      throw OutOfMemory("the transpose of the matrix", 8 * voxels_ * slots_ * threads,
                        weights.backend().free_bytes());
    }
    std::vector<std::uint32_t> filled(voxels_, 0U);
    for_each_entry(weights, views, [&](std::size_t j, std::uint32_t ray, float weight) {
      const std::size_t place = at(j, filled[j]++);
      weight_[place] = weight;
      ray_[place] = ray;
    });
  }

  /// Adds the products with the rays of all views to sums[j - first], first <= j < last.
  void add(const float* rays, std::size_t first, std::size_t last, double* sums) const {
    for (std::size_t slot = 0; slot < slots_; ++slot)
      for (std::size_t j = first; j < last; ++j) {
        if (slot * threads_ >= length_[j]) continue;
        const std::size_t place = at(j, slot * threads_);
        for (std::size_t k = place; k < place + threads_; ++k)
          sums[j - first] += static_cast<double>(weight_[k]) * rays[ray_[k]];
      }
  }
  /// Returns the product of voxel j with the rays of some views. The entries before the first of
  /// the views are skipped by bisection, those of other views in between one by one.
  double sum(const float* rays, std::size_t j, ViewSubset views) const {
    const std::size_t first = static_cast<std::size_t>(views.first) * cells_,
                      end = (static_cast<std::size_t>(views.view(views.count - 1)) + 1) * cells_;
    std::size_t e = 0;
    for (std::size_t behind = length_[j]; e < behind;) {
      const std::size_t middle = (e + behind) / 2;
      if (ray_[at(j, middle)] < first)
        e = middle + 1;
      else
        behind = middle;
    }
    double sum = 0;
    for (; e < length_[j]; ++e) {
      const std::size_t place = at(j, e), ray = ray_[place];
      if (ray >= end) break;
      const auto view = static_cast<int>(ray / cells_);
      if ((view - views.first) % views.stride == 0)
        sum += static_cast<double>(weight_[place]) * rays[ray];
    }
    return sum;
  }

  void add_to(MatrixStorage& all) const {
    std::uint64_t entries = 0;
    for (const std::uint32_t length : length_) entries += length;
    all.stored += entries;
    all.padding += weight_.size() - entries;
    add_part(all, "weights of the transpose", bytes_of(weight_), PartOf::transpose);
    add_part(all, "rays of the transpose", bytes_of(ray_), PartOf::transpose);
    add_part(all, "row lengths", bytes_of(length_), PartOf::transpose);
  }

 private:
  std::size_t at(std::size_t j, std::size_t e) const {
    return e / threads_ * voxels_ * threads_ + j * threads_ + e % threads_;
  }

  /// Calls visit(voxel, ray, weight), the rays of a voxel in ascending order; each thread goes
  /// through all matrix rows for voxels of its own. Throws Interrupted.
  template <class Visit>
  void for_each_entry(const Projector& weights, const std::vector<ViewCsr>& views,
                      const Visit& visit) const {
    const auto bands = static_cast<std::size_t>(cpu_threads());
#pragma omp parallel for schedule(dynamic)
    for (std::size_t band = 0; band < bands; ++band) {
      const std::size_t first = voxels_ * band / bands, last = voxels_ * (band + 1) / bands;
      for (std::size_t v = 0; v < views.size() && !weights.interrupted(); ++v)
        for (std::size_t cell = 0; cell < cells_; ++cell) {
          const auto begin = views[v].column.begin() + views[v].row_start[cell],
                     end = views[v].column.begin() + views[v].row_start[cell + 1];
          for (auto c = std::lower_bound(begin, end, first); c != end && *c < last; ++c)
            visit(*c, static_cast<std::uint32_t>(v * cells_ + cell),
                  views[v].weight[static_cast<std::size_t>(c - views[v].column.begin())]);
        }
    }
    weights.check_interrupt();
  }

  std::size_t voxels_, cells_, threads_, slots_ = 0;
  std::vector<std::uint32_t> length_, ray_;
  std::vector<float> weight_;
};

class EllrTMatrix final : public Matrix {
 public:
  EllrTMatrix(std::unique_ptr<const Matrix> rows, Ellr columns, int views)
      : rows_(std::move(rows)), columns_(std::move(columns)), views_(views) {}

  void multiply(const Array& x, Array& y, ViewSubset subset,
                const LinearOperator& interruptible) const override {
    rows_->multiply(x, y, subset, interruptible);
  }
  void multiply_transposed(const Array& y, Array& x, ViewSubset subset,
                           const LinearOperator& interruptible) const override {
    constexpr std::size_t portion = 256;
    const bool whole = subset == ViewSubset::all(views_);
    const float* rays = y.host().data();
    const std::span<float> image = x.host();
#pragma omp parallel for schedule(dynamic, 4)
    for (std::size_t first = 0; first < image.size(); first += portion) {
      if (interruptible.interrupted()) continue;
      const std::size_t last = std::min(first + portion, image.size());
      std::array<double, portion> sums{};
      if (whole)
        columns_.add(rays, first, last, sums.data());
      else
        for (std::size_t j = first; j < last; ++j) sums[j - first] = columns_.sum(rays, j, subset);
      for (std::size_t j = first; j < last; ++j) image[j] = static_cast<float>(sums[j - first]);
    }
  }
  MatrixStorage storage() const override {
    MatrixStorage all = rows_->storage();
    std::erase_if(all.parts, [](const MatrixPart& part) { return part.of == PartOf::workspace; });
    columns_.add_to(all);
    return all;
  }

 private:
  std::unique_ptr<const Matrix> rows_;
  Ellr columns_;
  int views_;
};

class EllrTFormat final : public MatrixFormat {
 public:
  explicit EllrTFormat(std::size_t threads) : threads_(threads) {}

  void require(const Projector& weights) const override {
    if (weights.range_size() > std::numeric_limits<std::uint32_t>::max())
      throw UsageError("ELLR-T counts rays in 32 bits; this scan has more than 4294967295",
                       "format", "use csr, or fewer views");
  }
  std::size_t estimate_bytes(const NonzeroEstimate& estimate,
                             const Projector& weights) const override {
    const std::size_t longest = estimate.of_lines(weights).longest(),
                      slots = (longest + threads_ - 1) / threads_;
    return static_cast<std::size_t>(8 * estimate.nonzeros) + 12 * estimate.rows +
           (8 * slots * threads_ + 4) * estimate.columns;
  }
  std::unique_ptr<const Matrix> build(const Projector& weights) const override {
    std::vector<ViewCsr> views(static_cast<std::size_t>(weights.views()));
    for_each_view_csr(weights, every_view(weights),
                      [&](std::size_t i, ViewCsr rows) { views[i] = std::move(rows); });
    Ellr columns(weights, views, threads_);
    std::vector<std::unique_ptr<RowBlock>> blocks;
    for (ViewCsr& rows : views) blocks.push_back(block_rows(std::move(rows)));
    return std::make_unique<EllrTMatrix>(matrix_of_blocks(std::move(blocks), weights),
                                         std::move(columns), weights.views());
  }

 private:
  std::size_t threads_;
};

}  // namespace

std::vector<ParamSpec> ellr_t_params() {
  return {
      {.key = "threads",
       .label = "Threads per row T",
       .unit = "",
       .fallback = std::string("16"),
       .choices = {"1", "2", "4", "8", "16", "32"},
       .help = "Number of threads per row of the transpose; rows are padded to a multiple of it."}};
}

std::unique_ptr<MatrixFormat> make_ellr_t(const Params& params) {
  return std::make_unique<EllrTFormat>(std::stoul(params.text("threads")));
}

}  // namespace gantry
