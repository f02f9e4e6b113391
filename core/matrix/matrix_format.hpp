#pragma once

#include "core/operator/projector.hpp"
#include "core/operator/subset_sweep.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace gantry {

/// What an array is there for: W, a transpose stored beside it, or vectors in between that a
/// product writes and reads again.
enum class PartOf { matrix, transpose, workspace };

/// One of the arrays that a matrix consists of.
struct MatrixPart {
  std::string name;  ///< "weights", "columns"
  std::size_t bytes = 0;
  PartOf of = PartOf::matrix;
};

/// What a matrix takes.
struct MatrixStorage {
  std::uint64_t nonzeros = 0;  ///< of A, whatever is stored of them
  std::uint64_t stored = 0;    ///< entries that are stored, once each; no padding
  std::uint64_t padding = 0;   ///< entries that stand for nothing
  std::vector<MatrixPart> parts;
  double build_s = 0;

  std::size_t bytes() const;
  std::size_t bytes(PartOf of) const;
  /// Of CSR with 32 bit columns and weights and 64 bit row starts: what formats are held against.
  static double csr_bytes(double nonzeros, double rows) { return 8 * nonzeros + 8 * (rows + 1); }
};

/// How many nonzeros there are, before any is computed: from a sample of the rays, within some per
/// cent.
struct NonzeroEstimate {
  double nonzeros = 0;     ///< of A
  double longest_row = 0;  ///< of the rays looked at
  std::size_t rows = 0, columns = 0;
  int views = 0;
};

/// Looks at a few rays of a few views. Throws UsageError when the projector gives no single
/// weights.
NonzeroEstimate estimate_nonzeros(const Projector& weights);
/// For those who have estimates already (NonzeroEstimates).
using NonzeroEstimator = std::function<NonzeroEstimate(const Projector&)>;

struct SliceStack;

/// What a sweep works on: SubsetSweep's image, data and row weights, and scratch of the rays.
struct SweepOperands {
  Array& x;
  const Array& b;
  const Array& row_weight;
  Array& r;
};

/// Sweeps over a stored matrix in a way of its format's own; owns what a device has recorded of
/// them. The matrix outlives it.
class MatrixSweep {
 public:
  virtual ~MatrixSweep() = default;
  /// SubsetSweep::run, without its checks; nothing where the format has no such way for these
  /// subsets, and then nothing is changed.
  virtual std::optional<UpdateNorms> run(const SweepOperands& operands,
                                         std::span<const ViewSubset> subsets) = 0;
};

/// A as it lies in memory: immutable. The products are those of LinearOperator, whose checks have
/// been made; `give` is asked to give way between blocks of work.
class Matrix {
 public:
  virtual ~Matrix() = default;
  Matrix() = default;
  Matrix(const Matrix&) = delete;
  Matrix& operator=(const Matrix&) = delete;

  virtual void multiply(const Array& x, Array& y, ViewSubset subset,
                        const LinearOperator& give) const = 0;
  virtual void multiply_transposed(const Array& y, Array& x, ViewSubset subset,
                                   const LinearOperator& give) const = 0;
  /// Both products in one, where a format can: r = C (b - A x) and out = A^T r; returns
  /// ||b - A x||^2.
  virtual std::optional<double> residual_transposed(const Array& /*x*/, const Array& /*b*/,
                                                    const Array* /*row_weight*/, Array& /*r*/,
                                                    Array& /*out*/, ViewSubset /*subset*/) const {
    return std::nullopt;
  }
  /// Null where the format has no sweeps of its own. `give` outlives the sweep.
  virtual std::unique_ptr<MatrixSweep> make_sweep(const SubsetUpdate& /*update*/,
                                                  const LinearOperator& /*give*/) const {
    return nullptr;
  }
  virtual int subsets_at_once() const { return 1; }  ///< see SubsetSweep
  /// Of a matrix of one slice, products with all slices of a stack, several at a time, where a
  /// format can: then returns true.
  virtual bool multiply_stack(const Array& /*x*/, Array& /*y*/, const SliceStack& /*stack*/,
                              ViewSubset /*subset*/, const LinearOperator& /*give*/) const {
    return false;
  }
  virtual bool multiply_stack_transposed(const Array& /*y*/, Array& /*x*/,
                                         const SliceStack& /*stack*/, ViewSubset /*subset*/,
                                         const LinearOperator& /*give*/) const {
    return false;
  }
  virtual MatrixStorage storage() const = 0;  ///< build_s is not known here
};

/// How weights are laid out: a line of the catalogue.
class MatrixFormat {
 public:
  virtual ~MatrixFormat() = default;
  MatrixFormat() = default;
  MatrixFormat(const MatrixFormat&) = delete;
  MatrixFormat& operator=(const MatrixFormat&) = delete;

  /// Throws UsageError for a scan that it cannot lay out, naming the condition that fails.
  virtual void require(const Projector& /*weights*/) const {}
  virtual std::size_t estimate_bytes(const NonzeroEstimate& estimate,
                                     const Projector& weights) const = 0;
  /// Computes the weights view by view, on the backend of `weights`. Throws Interrupted and
  /// OutOfMemory, and then holds nothing.
  virtual std::unique_ptr<const Matrix> build(const Projector& weights) const = 0;
  /// Whether a stack of slices that share their weights (core/operator/slice_stack.hpp) is stored
  /// as one of them, and A made of that one's; else the rows of all slices are laid out.
  virtual bool stacks(const Backend& backend) const { return backend.kind() == BackendKind::cpu; }
  virtual std::unique_ptr<const Matrix> stacked(std::unique_ptr<const Matrix> slice,
                                                const Projector& weights,
                                                const SliceStack& stack) const;
  /// Whether what is built goes by this parameter. A format has the same ones on all backends, of
  /// which one may have no choice to make.
  virtual bool uses(const std::string& /*parameter*/) const { return true; }
  /// See LinearOperator.
  virtual double rounding() const { return 1e-6; }
  virtual bool repeatable() const { return true; }
  /// Of what is there for study alone: why its products may be wrong. Empty: they are right.
  virtual std::string caveat() const { return {}; }
};

/// A projector whose weights lie in memory. They are computed by the first product, so that making
/// one costs nothing and its size is known before (workspace_bytes).
class StoredMatrix final : public Projector, public MakesSubsetSweeps {
 public:
  /// Throws UsageError where the format cannot lay these weights out, or `weights` does not give
  /// them singly.
  StoredMatrix(std::unique_ptr<Projector> weights, std::unique_ptr<MatrixFormat> format,
               const NonzeroEstimator& estimate = estimate_nonzeros);
  ~StoredMatrix() override;

  /// Computes the weights, if that has not been done. Throws Interrupted and OutOfMemory; then
  /// nothing is held.
  void build() const;
  bool built() const { return matrix_ != nullptr; }
  /// Builds first.
  const MatrixStorage& storage() const;
  const Projector& weights() const { return *weights_; }

  const RowSource* row_source() const override { return weights_->row_source(); }
  double rounding() const override;
  bool repeatable() const override;
  std::unique_ptr<SubsetSweep> make_subset_sweep(Array row_weight,
                                                 const SubsetUpdate& update) const override;
  std::string note() const override;
  /// Of the matrix; estimated until it is built.
  std::size_t workspace_bytes() const override;

 private:
  void do_forward(const Array& x, Array& y, ViewSubset subset) const override;
  void do_adjoint(const Array& y, Array& x, ViewSubset subset) const override;
  double do_residual_adjoint(const Array& x, const Array& b, const Array* row_weight, Array& r,
                             Array& out, ViewSubset subset) const override;
  class Sweep;

  /// What is laid out: the weights, or those of one slice.
  const Projector& stored() const { return slice_ ? *slice_ : *weights_; }

  std::unique_ptr<Projector> weights_, slice_;
  std::unique_ptr<MatrixFormat> format_;
  std::size_t estimated_bytes_;
  mutable std::unique_ptr<const Matrix> matrix_;  // made by the first product
  mutable MatrixStorage storage_;
};

}  // namespace gantry
