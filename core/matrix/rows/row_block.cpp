#include "core/matrix/rows/row_block.hpp"

#include "core/base/error.hpp"
#include "core/base/parallel_errors.hpp"

#include <algorithm>

namespace gantry {

namespace {

constexpr int most_portions = 16;

std::size_t workspace_bytes(std::size_t views, std::size_t voxels) {
  return std::min<std::size_t>(most_portions, views) * voxels * sizeof(double);
}

class RowBlocks final : public Matrix {
 public:
  RowBlocks(std::vector<std::unique_ptr<RowBlock>> views, std::size_t cells, std::size_t voxels)
      : views_(std::move(views)), cells_(cells), voxels_(voxels) {}

  void multiply(const Array& x, Array& y, ViewSubset subset,
                const LinearOperator& interruptible) const override {
    const float* image = x.host().data();
    float* rays = y.host().data();
    ParallelErrors errors;
#pragma omp parallel for schedule(dynamic)
    for (int i = 0; i < subset.count; ++i)
      errors.run([&] {
        if (interruptible.interrupted()) return;
        const auto v = static_cast<std::size_t>(subset.view(i));
        views_[v]->multiply(image, rays + v * cells_);
      });
    errors.rethrow();
  }

  void multiply_transposed(const Array& y, Array& x, ViewSubset subset,
                           const LinearOperator& interruptible) const override {
    const int portions = std::min(most_portions, subset.count);
    const auto sums = portion_sums(static_cast<std::size_t>(portions));
    const float* rays = y.host().data();
    ParallelErrors errors;
#pragma omp parallel for schedule(dynamic)
    for (int p = 0; p < portions; ++p)
      errors.run([&] {
        double* own = sums.get() + static_cast<std::size_t>(p) * voxels_;
        std::fill_n(own, voxels_, 0.0);
        const int first = subset.count * p / portions, last = subset.count * (p + 1) / portions;
        for (int i = first; i < last && !interruptible.interrupted(); ++i) {
          const auto v = static_cast<std::size_t>(subset.view(i));
          views_[v]->add_transposed(rays + v * cells_, own);
        }
      });
    errors.rethrow();
    float* image = x.host().data();
#pragma omp parallel for
    for (std::size_t j = 0; j < voxels_; ++j) {
      double sum = 0;
      for (int p = 0; p < portions; ++p) sum += sums[static_cast<std::size_t>(p) * voxels_ + j];
      image[j] = static_cast<float>(sum);
    }
  }

  MatrixStorage storage() const override {
    MatrixStorage all;
    for (const auto& view : views_) view->add_to(all);
    add_part(all, "sums of a product", workspace_bytes(views_.size(), voxels_), PartOf::workspace);
    return all;
  }

 private:
  /// Returns uninitialised sums [portion][voxel]: each portion clears its own.
  std::unique_ptr<double[]> portion_sums(std::size_t portions) const {
    const std::size_t count = portions * voxels_;
    try {
      return std::make_unique_for_overwrite<double[]>(count);
    } catch (const std::bad_alloc&) {
      throw OutOfMemory("a product with the matrix", count * sizeof(double), 0);
    }
  }

  std::vector<std::unique_ptr<RowBlock>> views_;
  std::size_t cells_, voxels_;
};

}  // namespace

void add_part(MatrixStorage& all, const std::string& name, std::size_t bytes, PartOf of) {
  const auto part = std::ranges::find(all.parts, name, &MatrixPart::name);
  if (part == all.parts.end())
    all.parts.push_back({name, bytes, of});
  else
    part->bytes += bytes;
}

void add_entries(MatrixStorage& all, std::size_t nonzeros, const std::vector<float>& weight,
                 const std::vector<std::uint32_t>& column) {
  all.nonzeros += nonzeros;
  all.stored += nonzeros;
  all.padding += weight.size() - nonzeros;
  add_part(all, "weights", bytes_of(weight));
  add_part(all, "columns", bytes_of(column));
}

std::unique_ptr<const Matrix> matrix_of_blocks(std::vector<std::unique_ptr<RowBlock>> views,
                                               const Projector& weights) {
  return std::make_unique<RowBlocks>(std::move(views), weights.cells_per_view(),
                                     weights.domain_size());
}

std::unique_ptr<const Matrix> build_row_blocks(
    const Projector& weights, const std::function<std::unique_ptr<RowBlock>(ViewCsr)>& lay_out) {
  std::vector<std::unique_ptr<RowBlock>> views(static_cast<std::size_t>(weights.views()));
  for_each_view_csr(weights, every_view(weights),
                    [&](std::size_t i, ViewCsr rows) { views[i] = lay_out(std::move(rows)); });
  return matrix_of_blocks(std::move(views), weights);
}

std::size_t row_block_workspace(const NonzeroEstimate& estimate) {
  return workspace_bytes(static_cast<std::size_t>(estimate.views), estimate.columns);
}

}  // namespace gantry
