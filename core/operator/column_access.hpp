#pragma once

#include "core/backend/array.hpp"
#include "core/geometry/voxel_lattice.hpp"
#include "core/operator/linear_operator.hpp"

#include <array>
#include <cstdint>
#include <memory>
#include <span>

namespace gantry {

/// A step of coordinate descent: voxel j of a lattice changes by
///   d_j = max(x_j + relaxation (s_j - lambda slope_j) / (curvature_j + lambda bend_j), low) - x_j,
/// with s_j = sum_i a_ij w_i r_i. The step of a voxel whose denominator is not positive is 0.
struct CoordinateStep {
  const Array& residual;           ///< r = b - A x, of all rays
  const Array* weights = nullptr;  ///< w, of all rays; null: 1
  const Array& curvature;          ///< of the data term, image
  const Array* slope = nullptr;    ///< gradient of the penalty, image; null: there is no penalty
  const Array* bend = nullptr;     ///< curvature of the penalty, image; null: 0
  float lambda = 0, relaxation = 1, low = 0;
};

/// How ColumnAccess::descend() divides the voxels of a grid.
struct SuperVoxels {
  std::array<int, 3> side{1, 1, 1};      ///< of a super-voxel, voxels; the last along an axis may
                                         ///< be shorter
  std::span<const std::uint32_t> order;  ///< their numbers, x first, in the order of visiting
  int at_once = 1;                       ///< super-voxels that begin from the same residual
  /// Whether to pass over voxels that are 0 and are not moved by the penalty, as those are whose
  /// neighbours are 0 as well. Without a penalty none are passed over.
  bool skip_zeros = true;
  std::span<double> squares = {};  ///< gets sum d_j^2 of each super-voxel of `order`; empty: none

  /// Returns the number of super-voxels of a grid.
  static std::uint32_t count(const VolumeGrid& grid, const std::array<int, 3>& side);
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
  /// Whether the same columns, stored, are read several times as fast as these are computed.
  virtual bool gains_from_storing() const { return false; }
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
  /// Makes the steps of the voxels of the lattice one after another within each super-voxel, each
  /// step from the residual that the steps before it have left (on a GPU, a few voxels of a
  /// super-voxel at the same time). `residual` is that of `step`, and is r = b - A x again at the
  /// end. The super-voxels of a batch of `at_once` work at the same time, each on a copy of the
  /// rays that it meets; their changes are added up at the end (on a GPU, as each of them ends, so
  /// that those that begin later already see these changes). Returns sum d_j^2.
  virtual double descend(const CoordinateStep& step, const VoxelLattice& voxels,
                         const SuperVoxels& parts, Array& x, Array& residual) const = 0;
};

/// The threads of a GPU that project a voxel: one, the 32 of a warp, or as suits the number of
/// voxels.
enum class ColumnWorker { automatic, thread, warp };

/// Interface of operators that make the access to their columns themselves. On the CPU, the columns
/// of every exact pair with single weights are computed from these.
class GivesColumns {
 public:
  virtual ~GivesColumns() = default;
  /// Returns null if the operator has no columns after all. The operator must outlive the object.
  /// May throw Interrupted.
  virtual std::unique_ptr<ColumnAccess> make_columns(ColumnWorker worker) const = 0;
  /// The memory of that object, bytes.
  virtual std::size_t columns_bytes() const { return 0; }
};

/// Returns access to the columns of A, which must outlive it. Throws UsageError if there is none.
std::unique_ptr<ColumnAccess> make_columns(const LinearOperator& A,
                                           ColumnWorker worker = ColumnWorker::automatic);
/// Whether A gives access to its columns.
bool gives_columns(const LinearOperator& A);
/// Throws UsageError if A gives no access to its columns.
void require_columns(const LinearOperator& A);

}  // namespace gantry
