#pragma once

#include "core/matrix/nonzero_estimate.hpp"
#include "core/operator/column_access.hpp"
#include "core/operator/projector.hpp"
#include "core/operator/subset_sweep.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace gantry {

/// The purpose of an array: it belongs to W, to a transpose stored in addition, or to scratch
/// vectors that a product writes and reads again.
enum class PartOf { matrix, transpose, workspace };

/// One of the arrays that a matrix consists of.
struct MatrixPart {
  std::string name;  ///< "weights", "columns"
  std::size_t bytes = 0;
  PartOf of = PartOf::matrix;
};

/// The size of a matrix.
struct MatrixStorage {
  std::uint64_t nonzeros = 0;  ///< of A, also those that follow by symmetry
  std::uint64_t stored = 0;    ///< stored entries, each counted once; no padding
  std::uint64_t padding = 0;   ///< stored entries that are not entries of A
  std::vector<MatrixPart> parts;
  double build_s = 0;

  std::size_t bytes() const;
  std::size_t bytes(PartOf of) const;
  /// Returns the bytes of CSR with 32 bit columns and weights and 64 bit row starts, to which other
  /// formats are compared.
  static double csr_bytes(double nonzeros, double rows) { return 8 * nonzeros + 8 * (rows + 1); }
};

struct SliceStack;

/// The operands of a sweep: SubsetSweep's image, data and row weights, and scratch of the rays.
struct SweepOperands {
  Array& x;
  const Array& b;
  const Array& row_weight;
  Array& r;
};

/// Sweeps over a stored matrix that the format implements itself. The object owns a device's
/// recording of them; the matrix must outlive it.
class MatrixSweep {
 public:
  virtual ~MatrixSweep() = default;
  /// Does what SubsetSweep::run does, without its checks. Returns nothing, with all operands
  /// unchanged, if the format cannot do these subsets.
  virtual std::optional<UpdateNorms> run(const SweepOperands& operands,
                                         std::span<const ViewSubset> subsets) = 0;
};

/// A as it lies in memory. Immutable. The products are those of LinearOperator, which has checked
/// the arguments; they check the interrupt of `interruptible` between blocks of work.
class Matrix {
 public:
  virtual ~Matrix() = default;
  Matrix() = default;
  Matrix(const Matrix&) = delete;
  Matrix& operator=(const Matrix&) = delete;

  virtual void multiply(const Array& x, Array& y, ViewSubset subset,
                        const LinearOperator& interruptible) const = 0;
  virtual void multiply_transposed(const Array& y, Array& x, ViewSubset subset,
                                   const LinearOperator& interruptible) const = 0;
  /// Computes both products at once, r = C (b - A x) and out = A^T r, and returns ||b - A x||^2;
  /// returns nothing if the format cannot do this.
  virtual std::optional<double> residual_transposed(const Array& /*x*/, const Array& /*b*/,
                                                    const Array* /*row_weight*/, Array& /*r*/,
                                                    Array& /*out*/, ViewSubset /*subset*/) const {
    return std::nullopt;
  }
  /// Returns null if the format has no sweeps of its own. `interruptible` must outlive the sweep.
  virtual std::unique_ptr<MatrixSweep> make_sweep(const SubsetUpdate& /*update*/,
                                                  const LinearOperator& /*interruptible*/) const {
    return nullptr;
  }
  /// See SubsetSweep.
  virtual int subsets_at_once(int /*views_of_subset*/) const { return 1; }
  /// Computes, with the matrix of one slice, the products with all slices of a stack, several at a
  /// time, and returns true; returns false if the format cannot do this.
  virtual bool multiply_stack(const Array& /*x*/, Array& /*y*/, const SliceStack& /*stack*/,
                              ViewSubset /*subset*/,
                              const LinearOperator& /*interruptible*/) const {
    return false;
  }
  virtual bool multiply_stack_transposed(const Array& /*y*/, Array& /*x*/,
                                         const SliceStack& /*stack*/, ViewSubset /*subset*/,
                                         const LinearOperator& /*interruptible*/) const {
    return false;
  }
  virtual MatrixStorage storage() const = 0;  ///< without build_s
};

/// A layout of weights in memory; an entry of the catalogue.
class MatrixFormat {
 public:
  virtual ~MatrixFormat() = default;
  MatrixFormat() = default;
  MatrixFormat(const MatrixFormat&) = delete;
  MatrixFormat& operator=(const MatrixFormat&) = delete;

  /// Throws UsageError, naming the condition that fails, if the format cannot store the weights of
  /// this scan.
  virtual void require(const Projector& /*weights*/) const {}
  virtual std::size_t estimate_bytes(const NonzeroEstimate& estimate,
                                     const Projector& weights) const = 0;
  /// Returns the bytes that are taken in addition while the matrix is built.
  virtual std::size_t build_bytes(const NonzeroEstimate& /*estimate*/,
                                  const Projector& /*weights*/) const {
    return 0;
  }
  /// Computes the weights view by view, on the backend of `weights`. Throws Interrupted and
  /// OutOfMemory, with all memory freed.
  virtual std::unique_ptr<const Matrix> build(const Projector& weights) const = 0;
  /// Whether of a stack, whose slices have the same weights (core/operator/slice_stack.hpp), only
  /// one slice is stored and A is computed from it. If not, the rows of all slices are stored.
  virtual bool stacks(const Backend& backend) const { return backend.kind() == BackendKind::cpu; }
  virtual std::unique_ptr<const Matrix> stacked(std::unique_ptr<const Matrix> slice,
                                                const Projector& weights,
                                                const SliceStack& stack) const;
  /// Returns the bytes that stacked() needs in addition to the matrix of one slice, whose weights
  /// and estimate are given.
  virtual std::size_t stack_bytes(const NonzeroEstimate& of_slice, const Projector& slice,
                                  const SliceStack& stack) const;
  /// Returns the columns of a projector, stored beside the matrix in the memory of its backend.
  /// Returns null if the format stores none on this backend; the projector may then compute them.
  /// Throws UsageError, OutOfMemory and Interrupted.
  virtual std::unique_ptr<ColumnAccess> make_columns(const Projector& weights,
                                                     ColumnWorker worker) const;
  /// Whether this parameter affects the matrix. A format has the same parameters on all backends,
  /// but on some of them a parameter may have no effect.
  virtual bool uses(const std::string& /*parameter*/) const { return true; }
  /// See LinearOperator.
  virtual double rounding() const { return 1e-6; }
  virtual bool repeatable() const { return true; }
  /// Returns why products may be wrong, for formats that exist for comparison only; empty if they
  /// are right.
  virtual std::string caveat() const { return {}; }
};

/// A projector whose weights are stored in memory. The first product computes the weights, so that
/// making the object costs little; workspace_bytes() gives the size before.
class StoredMatrix final : public Projector, public MakesSubsetSweeps, public GivesColumns {
 public:
  /// Throws UsageError if the format cannot store these weights, or if `weights` has no single
  /// weights.
  StoredMatrix(std::unique_ptr<Projector> weights, std::unique_ptr<MatrixFormat> format,
               const NonzeroEstimator& estimate = estimate_nonzeros);
  ~StoredMatrix() override;

  /// Computes the weights unless that has been done. Throws Interrupted and OutOfMemory, with all
  /// memory freed.
  void build() const;
  bool built() const { return matrix_ != nullptr; }
  /// Calls build() first.
  const MatrixStorage& storage() const;
  const Projector& weights() const { return *weights_; }

  const RowSource* row_source() const override { return weights_->row_source(); }
  double rounding() const override;
  bool repeatable() const override;
  std::unique_ptr<SubsetSweep> make_subset_sweep(Array row_weight,
                                                 const SubsetUpdate& update) const override;
  /// The columns in memory of their own, beside the matrix.
  std::unique_ptr<ColumnAccess> make_columns(ColumnWorker worker) const override;
  std::size_t columns_bytes() const override;
  std::string note() const override;
  /// The size of the matrix; an estimate until it is built, with what its build takes.
  std::size_t workspace_bytes() const override;
  /// The part of workspace_bytes() that is free again after the build, estimated.
  std::size_t build_bytes() const { return built() ? 0 : build_bytes_; }

 private:
  void do_forward(const Array& x, Array& y, ViewSubset subset) const override;
  void do_adjoint(const Array& y, Array& x, ViewSubset subset) const override;
  double do_residual_adjoint(const Array& x, const Array& b, const Array* row_weight, Array& r,
                             Array& out, ViewSubset subset) const override;
  class Sweep;

  /// The projector whose weights are stored: that of the whole scan, or of one slice.
  const Projector& stored() const { return slice_ ? *slice_ : *weights_; }

  std::unique_ptr<Projector> weights_, slice_;
  std::unique_ptr<MatrixFormat> format_;
  std::size_t estimated_bytes_, build_bytes_;
  double nonzeros_;                               // of the scan or of one slice, estimated
  mutable std::unique_ptr<const Matrix> matrix_;  // built by the first product
  mutable MatrixStorage storage_;
};

}  // namespace gantry
