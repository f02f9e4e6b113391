#pragma once

#include "core/catalog/catalog.hpp"
#include "core/matrix/matrix_format.hpp"

#include <algorithm>
#include <memory>
#include <utility>

namespace gantry::test {

/// A matrix on the host that computes whole sweeps of updates, as some matrices of a device do: it
/// checks the interrupt before a sweep only.
class SweepingMatrix final : public Matrix {
 public:
  SweepingMatrix(std::unique_ptr<const Matrix> inner, int views, std::size_t cells)
      : inner_(std::move(inner)), views_(views), cells_(cells) {}

  void multiply(const Array& x, Array& y, ViewSubset subset,
                const LinearOperator& interruptible) const override {
    inner_->multiply(x, y, subset, interruptible);
  }
  void multiply_transposed(const Array& y, Array& x, ViewSubset subset,
                           const LinearOperator& interruptible) const override {
    inner_->multiply_transposed(y, x, subset, interruptible);
  }
  std::unique_ptr<MatrixSweep> make_sweep(const SubsetUpdate& update,
                                          const LinearOperator& interruptible) const override {
    return std::make_unique<Sweep>(*this, update, interruptible);
  }
  int subsets_at_once(int) const override { return views_; }
  MatrixStorage storage() const override { return inner_->storage(); }

 private:
  /// An operator without an interrupt, so that the products of a sweep run to their end.
  class Quiet final : public LinearOperator {
   public:
    Quiet(Backend& backend, std::size_t voxels, std::size_t cells, int views)
        : LinearOperator(backend, voxels, cells, views) {}

   private:
    void do_forward(const Array&, Array&, ViewSubset) const override {}
    void do_adjoint(const Array&, Array&, ViewSubset) const override {}
  };

  class Sweep final : public MatrixSweep {
   public:
    Sweep(const SweepingMatrix& matrix, const SubsetUpdate& update,
          const LinearOperator& interruptible)
        : matrix_(matrix), update_(update), interruptible_(interruptible) {}

    std::optional<UpdateNorms> run(const SweepOperands& of,
                                   std::span<const ViewSubset> subsets) override {
      interruptible_.check_interrupt();
      Backend& backend = of.x.backend();
      const Quiet quiet(backend, of.x.size(), matrix_.cells_, matrix_.views_);
      UpdateNorms sum;
      Array gradient(backend, of.x.size()), column(backend, of.x.size());
      for (const ViewSubset& subset : subsets) {
        backend.fill(of.r, 1);
        if (update_.by_column_sums()) {
          matrix_.inner_->multiply_transposed(of.r, column, subset, quiet);
          backend.safe_reciprocal(column, update_.smallest_column_sum);
        } else {
          backend.fill(column, update_.column_weight);
        }
        matrix_.inner_->multiply(of.x, of.r, subset, quiet);
        for (int i = 0; i < subset.count; ++i)
          sum.residual_square += backend.residual(
              of.b, of.r, &of.row_weight, static_cast<std::size_t>(subset.view(i)) * matrix_.cells_,
              matrix_.cells_);
        matrix_.inner_->multiply_transposed(of.r, gradient, subset, quiet);
        sum.update_square +=
            backend.scaled_update(of.x, update_.relaxation, column, gradient, update_.low);
      }
      return sum;
    }

   private:
    const SweepingMatrix& matrix_;
    SubsetUpdate update_;
    const LinearOperator& interruptible_;
  };

  std::unique_ptr<const Matrix> inner_;
  int views_;
  std::size_t cells_;
};

class SweepingFormat final : public MatrixFormat {
 public:
  explicit SweepingFormat(std::unique_ptr<MatrixFormat> inner) : inner_(std::move(inner)) {}
  std::size_t estimate_bytes(const NonzeroEstimate& estimate,
                             const Projector& weights) const override {
    return inner_->estimate_bytes(estimate, weights);
  }
  std::unique_ptr<const Matrix> build(const Projector& weights) const override {
    return std::make_unique<SweepingMatrix>(inner_->build(weights), weights.views(),
                                            weights.cells_per_view());
  }

 private:
  std::unique_ptr<MatrixFormat> inner_;
};

/// Adds the format "swept_csr" for the CPU.
inline void add_swept(Catalog& catalog) {
  const auto csr = catalog.matrix_formats.at("csr").maker("cpu")->make;
  catalog.matrix_formats.add({.key = "swept_csr", .label = "CSR"}, "cpu",
                             [csr](const Params& params) -> std::unique_ptr<MatrixFormat> {
                               return std::make_unique<SweepingFormat>(csr(params));
                             });
}

}  // namespace gantry::test
