#pragma once

#include "core/operator/gradient_step.hpp"

#include <cstddef>
#include <memory>
#include <span>

namespace gantry {

/// The numbers of x <- max(x + relaxation C_s A_s^T R (b_s - A_s x), low) for a subset s of the
/// views: C_s = diag(1 / column sums of A_s), 0 where a sum is not above smallest_column_sum; or
/// C_s = column_weight, where that is above 0.
struct SubsetUpdate {
  float relaxation = 1, low = 0, smallest_column_sum = 0;
  float column_weight = 0;

  bool by_column_sums() const { return column_weight <= 0; }
  int products() const { return by_column_sums() ? 3 : 2; }  ///< with A_s or its transpose

  /// By column sums, of `count` voxels in a row: from the gradient A_s^T R (b_s - A_s x) and the
  /// sums. Returns the squared norm of the change.
  double apply(float* x, const float* gradient, const float* column_sum, std::size_t count) const;
};

/// Updates of an image by one subset of the views after the other: a step of SART, OS-SART or
/// parallel ART. R is diagonal over the rays. The object owns R, its scratch vectors (one of the
/// rays, two of the image) and what a device has recorded of sweeps. The operator outlives it.
class SubsetSweep {
 public:
  SubsetSweep(const LinearOperator& A, Array row_weight, const SubsetUpdate& update);
  virtual ~SubsetSweep() = default;
  SubsetSweep(const SubsetSweep&) = delete;
  SubsetSweep& operator=(const SubsetSweep&) = delete;

  /// Updates x by each of the subsets in turn; norms are summed over them. Interrupted, it leaves x
  /// as it was before the first. Throws ShapeError.
  UpdateNorms run(Array& x, const Array& b, std::span<const ViewSubset> subsets);

  /// How many subsets should be given at once, where single updates are so short that asking for
  /// them takes longer: as many as last no longer than somebody who waits can bear.
  virtual int subsets_at_once() const { return 1; }

 protected:
  const LinearOperator& A() const { return A_; }
  const Array& row_weight() const { return row_weight_; }
  const SubsetUpdate& update() const { return update_; }
  Array& rays() { return rays_; }                    ///< scratch
  Array& gradient() { return gradient_; }            ///< scratch, of the image
  Array& column_weight() { return column_weight_; }  ///< scratch, of the image

  /// One update by one product after the other. Interrupted, it leaves x as it was.
  UpdateNorms update_by_products(Array& x, const Array& b, ViewSubset subset);
  /// At least one subset. The default makes single updates, several of them on a copy of x.
  virtual UpdateNorms do_run(Array& x, const Array& b, std::span<const ViewSubset> subsets);

 private:
  /// A single update. Interrupted, it leaves x as it was.
  virtual UpdateNorms do_update(Array& x, const Array& b, ViewSubset subset);

  const LinearOperator& A_;
  Array row_weight_;
  SubsetUpdate update_;
  Array rays_, gradient_, column_weight_;
};

/// What an operator is as well when it makes sweeps in a way of its own.
class MakesSubsetSweeps {
 public:
  virtual ~MakesSubsetSweeps() = default;
  virtual std::unique_ptr<SubsetSweep> make_subset_sweep(Array row_weight,
                                                         const SubsetUpdate& update) const = 0;
};

/// R = diag(row_weight), a weight for every ray. The operator's own sweep where it has one; else
/// one product after the other. A stored matrix is built, if it was not: may throw Interrupted and
/// OutOfMemory. Throws ShapeError.
std::unique_ptr<SubsetSweep> make_subset_sweep(const LinearOperator& A, Array row_weight,
                                               const SubsetUpdate& update);

}  // namespace gantry
