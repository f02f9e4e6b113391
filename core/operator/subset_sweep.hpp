#pragma once

#include "core/operator/gradient_step.hpp"

#include <cstddef>
#include <memory>
#include <span>

namespace gantry {

/// The parameters of x <- max(x + relaxation C_s A_s^T R (b_s - A_s x), low) for a subset s of the
/// views, with C_s = column_weight if that is above 0, else C_s = diag(1 / column sums of A_s) with
/// 0 for sums up to smallest_column_sum.
struct SubsetUpdate {
  float relaxation = 1, low = 0, smallest_column_sum = 0;
  float column_weight = 0;

  bool by_column_sums() const { return column_weight <= 0; }
  int products() const { return by_column_sums() ? 3 : 2; }  ///< with A_s or A_s^T, per update

  /// Updates `count` consecutive voxels, by column sums: `gradient` is A_s^T R (b_s - A_s x),
  /// `column_sum` is A_s^T 1. Returns the squared norm of the change.
  double apply(float* x, const float* gradient, const float* column_sum, std::size_t count) const;
};

/// Updates an image by one subset of the views after another, which is a step of SART, OS-SART or
/// parallel ART. R is diagonal over the rays. The object owns R, its scratch vectors (one of the
/// rays, two images) and a device's recording of sweeps. The operator must outlive it.
class SubsetSweep {
 public:
  SubsetSweep(const LinearOperator& A, Array row_weight, const SubsetUpdate& update);
  virtual ~SubsetSweep() = default;
  SubsetSweep(const SubsetSweep&) = delete;
  SubsetSweep& operator=(const SubsetSweep&) = delete;

  /// Updates x by each of the subsets in order. Returns norms summed over the subsets. Throws
  /// Interrupted, with x as it was before the first subset, and ShapeError.
  UpdateNorms run(Array& x, const Array& b, std::span<const ViewSubset> subsets);

  /// Returns the number of subsets, of so many views each, that run() should get per call. It is
  /// above 1 if a single update is so short that a call costs more than the update; it is limited
  /// so that an interrupt is noticed soon. A class that returns more than 1 overrides do_run(),
  /// which otherwise takes a copy of the image for calls with several subsets.
  virtual int subsets_at_once(int /*views_of_subset*/) const { return 1; }

 protected:
  const Array& row_weight() const { return row_weight_; }
  const SubsetUpdate& update() const { return update_; }
  Array& rays() { return rays_; }                    ///< scratch
  Array& gradient() { return gradient_; }            ///< scratch, of the image
  Array& column_weight() { return column_weight_; }  ///< scratch, of the image

  /// Makes one update, product by product. If interrupted, leaves x unchanged.
  UpdateNorms update_by_products(Array& x, const Array& b, ViewSubset subset);
  /// Called with at least one subset. The default makes the updates one by one; if there are
  /// several, it works on a copy of x.
  virtual UpdateNorms do_run(Array& x, const Array& b, std::span<const ViewSubset> subsets);

 private:
  /// Makes a single update. If interrupted, leaves x unchanged.
  virtual UpdateNorms do_update(Array& x, const Array& b, ViewSubset subset);

  const LinearOperator& A_;
  Array row_weight_;
  SubsetUpdate update_;
  Array rays_, gradient_, column_weight_;
};

/// Interface of operators that have sweeps of their own.
class MakesSubsetSweeps {
 public:
  virtual ~MakesSubsetSweeps() = default;
  virtual std::unique_ptr<SubsetSweep> make_subset_sweep(Array row_weight,
                                                         const SubsetUpdate& update) const = 0;
};

/// Returns the operator's own sweep if it has one, else a sweep that computes product by product,
/// with R = diag(row_weight), one weight per ray. Builds a stored matrix that is not built yet.
/// Throws Interrupted, OutOfMemory and ShapeError.
std::unique_ptr<SubsetSweep> make_subset_sweep(const LinearOperator& A, Array row_weight,
                                               const SubsetUpdate& update);

}  // namespace gantry
