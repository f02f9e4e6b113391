#pragma once

#include "core/matrix/symmetric/scsr_sample.hpp"
#include "core/matrix/symmetric/scsr_stored_views.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace gantry {

enum class ColumnOrder;
/// A function that long operations call between portions of work; it may throw Interrupted.
using CheckInterrupt = std::function<void()>;

/// A dense sub-matrix of cuART: parts of matrix rows, cut to `width` slots and padded. Slot j of a
/// row lies at [j * rows + row], so that threads with one row each read adjacent addresses. A
/// weight of zero is padding.
class DenseBlock {
 public:
  DenseBlock() = default;
  DenseBlock(std::size_t rows, std::size_t width)
      : rows_(rows), width_(width), weight_(rows * width), column_(rows * width) {}

  std::size_t rows() const { return rows_; }
  std::size_t width() const { return width_; }
  std::size_t padded_size() const { return weight_.size(); }
  bool filled(std::size_t row, std::size_t j) const { return weight_[j * rows_ + row] > 0; }
  /// [slot][row]
  const std::vector<float>& weights() const { return weight_; }
  const std::vector<std::uint32_t>& columns() const { return column_; }

  /// Copies nonzeros k .. k + count - 1 of `from` to slots j .. j + count - 1 of a row.
  void put(std::size_t row, std::size_t j, const ViewCsr& from, std::size_t k, std::size_t count);
  /// Moves the entry in slot j + order[i] of a row to slot j + i, for every i.
  void reorder(std::size_t row, std::size_t j, std::span<const std::uint32_t> order);
  /// Appends slots j .. j + count - 1 of a row to `to`.
  void append(std::size_t row, std::size_t j, std::size_t count, ViewCsr& to) const;

 private:
  std::size_t rows_ = 0, width_ = 0;
  std::vector<float> weight_;
  std::vector<std::uint32_t> column_;
};

/// Consecutive entries in a row of a dense sub-matrix that belong to one stored matrix row, their
/// owner.
struct DensePiece {
  std::uint32_t row, first, count;  ///< row of the sub-matrix, first slot, number of slots
  std::uint32_t owner;              ///< stored view * cells + cell
};
/// A sub-matrix and its pieces, sorted by row and then by slot. `block` belongs to the ScsrBlocks
/// that returned it.
struct DensePieces {
  const DenseBlock* block;
  std::vector<DensePiece> pieces;
};

/// The stored views in dense sub-matrices. On the CPU a product restores the CSR rows of a view by
/// decode() and multiplies these, so that the layouts show their sizes there and can be compared
/// with the layouts on a device.
class ScsrBlocks : public ScsrStoredViews {
 public:
  void multiply(std::span<const int> views, int vectors, const float* x, const UseSums& use,
                const LinearOperator& interruptible) const final;
  void multiply_transposed(std::span<const int> views, int vectors, const float* y, float* x,
                           const LinearOperator& interruptible) const final;
  std::uint64_t nonzeros(std::size_t view) const final { return nonzeros_[view]; }
  /// Returns all sub-matrices with their pieces, for a device that copies them unchanged.
  virtual std::vector<DensePieces> pieces() const = 0;
  /// Reorders the entries of all sub-matrices (column_permutation.hpp). Must not be called while
  /// other threads use the object.
  void permute(
      ColumnOrder order, const CheckInterrupt& check_interrupt = [] {});

 protected:
  ScsrBlocks(const std::vector<ViewCsr>& views, std::size_t voxels);

  std::uint64_t all_nonzeros() const;
  /// Returns the sub-matrices of pieces(), in the order of pieces().
  virtual std::vector<DenseBlock*> sub_matrices() = 0;

 private:
  std::size_t voxels_;
  std::vector<std::uint64_t> nonzeros_;
};

/// Returns the matrix rows of all stored views, from which the layouts are built.
std::vector<ViewCsr> stored_rows(const Projector& weights, const std::vector<int>& stored_views);

/// Builds cuART's global-level blocking: all matrix rows are sorted by their number of nonzeros,
/// and the longest is paired with the shortest.
std::unique_ptr<ScsrBlocks> make_scsr_global_blocks(
    const std::vector<ViewCsr>& views, std::size_t voxels,
    const CheckInterrupt& check_interrupt = [] {});

/// Number of rays of a view before and after the plateau of its profile: the number of nonzeros of
/// its matrix rows over the detector columns.
struct ProfileRamps {
  std::size_t left = 0, right = 0;
};
/// Builds cuART's view-level blocking: the ramps of neighbouring views fill each other. `ramps` has
/// an entry for each of `views`.
std::unique_ptr<ScsrBlocks> make_scsr_view_blocks(
    const std::vector<ViewCsr>& views, std::size_t voxels, const std::vector<ProfileRamps>& ramps,
    const CheckInterrupt& check_interrupt = [] {});

/// Returns the ramps of a view from the geometry: the plateau begins and ends at the rays through
/// the second and the third of the image's four corners, counted along the detector. For scans with
/// a single detector row.
ProfileRamps profile_ramps(const ScanGeometry& geometry, const VolumeGrid& grid, int view);

/// Builds the layout `blocking`, "global" or "view", from the weights and orders its entries.
std::unique_ptr<const ScsrBlocks> make_scsr_blocks(const Projector& weights,
                                                   const std::vector<int>& stored_views,
                                                   const std::string& blocking, ColumnOrder order);
/// Returns the bytes of that layout, of whose matrix rows `sample` are some.
double scsr_blocks_bytes(const ScsrSample& sample, const Projector& weights,
                         const std::string& blocking);
/// Throws UsageError where a blocking does not suit the scan: "view" needs a single detector row.
void require_scsr_blocking(const Projector& weights, const std::string& blocking);

}  // namespace gantry
