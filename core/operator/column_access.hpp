#pragma once

#include "core/backend/array.hpp"
#include "core/geometry/voxel_lattice.hpp"
#include "core/operator/linear_operator.hpp"

#include <memory>

namespace gantry {

/// A step of coordinate descent: voxel j of a lattice changes by
///   d_j = max(x_j + relaxation (s_j - lambda slope_j) / (curvature_j + lambda bend_j), low) - x_j,
/// with s_j = sum_i a_ij w_i r_i. The step of a voxel whose denominator is not positive is 0.
struct CoordinateStep {
  const Array& residual;           ///< r = b - A x, of all rays
  const Array* weights = nullptr;  ///< w, of all rays; null: 1
  const Array& curvature;          ///< of the data term, image
  const Array* slope = nullptr;    ///< gradient of the penalty, image; null: there is no penalty
  const Array* bend = nullptr;     ///< curvature of the penalty, image
  float lambda = 0, relaxation = 1, low = 0;
};

/// Sums over single columns of A, those of the voxels of a lattice, for methods that change voxels
/// one by one. Images have their full length; elements of other voxels are neither read nor
/// written. On a GPU the sums over voxels are made by atomics, so that they are not repeatable to
/// the bit. Functions check neither sizes nor the interrupt.
class ColumnAccess {
 public:
  virtual ~ColumnAccess() = default;
  ColumnAccess() = default;
  ColumnAccess(const ColumnAccess&) = delete;
  ColumnAccess& operator=(const ColumnAccess&) = delete;

  virtual const VolumeGrid& grid() const = 0;
  /// Whether add() gives the same bits again.
  virtual bool repeatable() const { return true; }
  /// out_j = sum_i a_ij y_i
  virtual void sums(const Array& y, const VoxelLattice& voxels, Array& out) const = 0;
  /// out_j = sum_i w_i a_ij^2; `weights` null: 1
  virtual void squares(const Array* weights, const VoxelLattice& voxels, Array& out) const = 0;
  /// y_i += factor sum_j a_ij x_j, over the voxels of the lattice
  virtual void add(const Array& x, float factor, const VoxelLattice& voxels, Array& y) const = 0;
  /// Makes a step of all voxels of the lattice: x_j += d_j, change_j = d_j. Returns sum d_j^2.
  virtual double update(const CoordinateStep& step, const VoxelLattice& voxels, Array& x,
                        Array& change) const = 0;
};

/// Interface of operators that make the access to their columns themselves. On the CPU, the columns
/// of every exact pair with single weights are computed from these.
class GivesColumns {
 public:
  virtual ~GivesColumns() = default;
  /// Returns null if the operator has no columns after all. The operator must outlive the object.
  /// May throw Interrupted.
  virtual std::unique_ptr<ColumnAccess> make_columns() const = 0;
  /// The memory of that object, bytes.
  virtual std::size_t columns_bytes() const { return 0; }
};

/// Returns access to the columns of A, which must outlive it. Throws UsageError if there is none.
std::unique_ptr<ColumnAccess> make_columns(const LinearOperator& A);
/// Whether A gives access to its columns.
bool gives_columns(const LinearOperator& A);
/// Throws UsageError if A gives no access to its columns.
void require_columns(const LinearOperator& A);

}  // namespace gantry
