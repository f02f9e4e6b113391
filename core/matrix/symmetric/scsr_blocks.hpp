#pragma once

#include "core/matrix/symmetric/scsr_stored_views.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace gantry {

enum class ColumnOrder;
/// What long work calls between portions; may throw Interrupted.
using GiveWay = std::function<void()>;

/// A dense sub-matrix of cuART: rows cut to one length and padded, column after column, so that
/// threads with a row each read side by side. A weight of zero is padding.
class DenseBlock {
 public:
  DenseBlock() = default;
  DenseBlock(std::size_t rows, std::size_t width)
      : rows_(rows), width_(width), weight_(rows * width), column_(rows * width) {}

  std::size_t rows() const { return rows_; }
  std::size_t width() const { return width_; }
  std::size_t padded_size() const { return weight_.size(); }
  bool filled(std::size_t row, std::size_t j) const { return weight_[j * rows_ + row] > 0; }
  /// Place j of a row is [j * rows + row].
  const std::vector<float>& weights() const { return weight_; }
  const std::vector<std::uint32_t>& columns() const { return column_; }

  /// Puts nonzeros k .. k + count - 1 of `from` into a row, from place j on.
  void put(std::size_t row, std::size_t j, const ViewCsr& from, std::size_t k, std::size_t count);
  /// Entry order[i] of those from place j on moves to place j + i.
  void reorder(std::size_t row, std::size_t j, std::span<const std::uint32_t> order);
  /// Appends places j .. j + count - 1 of a row to `to`.
  void append(std::size_t row, std::size_t j, std::size_t count, ViewCsr& to) const;

 private:
  std::size_t rows_ = 0, width_ = 0;
  std::vector<float> weight_;
  std::vector<std::uint32_t> column_;
};

/// What lies in a row of a dense sub-matrix, of one stored row, its owner: [stored view][cell].
struct DensePiece {
  std::uint32_t row, first, count;
  std::uint32_t owner;
};
/// A sub-matrix and what is where in it, row by row and along the rows; it lives with its layout.
struct DensePieces {
  const DenseBlock* block;
  std::vector<DensePiece> pieces;
};

/// The stored views in dense sub-matrices. On the CPU a product gets the rows of a view back and
/// goes along them: the layouts are here for their sizes and to be compared with those of devices.
class ScsrBlocks : public ScsrStoredViews {
 public:
  void multiply(std::span<const int> views, int lanes, const float* x, const UseSums& use,
                const LinearOperator& give) const final;
  void multiply_transposed(std::span<const int> views, int lanes, const float* y, float* x,
                           const LinearOperator& give) const final;
  std::uint64_t nonzeros(std::size_t view) const final { return nonzeros_[view]; }
  /// All of it, for a device that takes the sub-matrices as they are.
  virtual std::vector<DensePieces> pieces() const = 0;
  /// Before it is shared: see column_permutation.hpp.
  void permute(
      ColumnOrder order, const GiveWay& check_interrupt = [] {});

 protected:
  ScsrBlocks(const std::vector<ViewCsr>& views, std::size_t voxels);

  std::uint64_t all_nonzeros() const;
  /// Those of pieces(), in the same order.
  virtual std::vector<DenseBlock*> sub_matrices() = 0;

 private:
  std::size_t voxels_;
  std::vector<std::uint64_t> nonzeros_;
};

/// The rows of all stored views, which these layouts are made of.
std::vector<ViewCsr> stored_rows(const Projector& weights, const std::vector<int>& stored_views);

/// Global-level blocking: all rows sorted by their nonzeros, the longest paired with the shortest.
std::unique_ptr<ScsrBlocks> make_scsr_global_blocks(
    const std::vector<ViewCsr>& views, std::size_t voxels, const GiveWay& check_interrupt = [] {});

/// View-level blocking: neighbouring views fill each other's ramps. `ramps` are the rays of each
/// view before and after the plateau of its profile, from the geometry.
struct ProfileRamps {
  std::size_t left = 0, right = 0;
};
std::unique_ptr<ScsrBlocks> make_scsr_view_blocks(
    const std::vector<ViewCsr>& views, std::size_t voxels, const std::vector<ProfileRamps>& ramps,
    const GiveWay& check_interrupt = [] {});

/// Where the profile of nonzeros bends: at the rays through the second and third of the image's
/// four corners, counted along the detector. For scans of a single detector row.
ProfileRamps profile_ramps(const ScanGeometry& geometry, const VolumeGrid& grid, int view);

/// One of the two, "global" or "view", from the weights.
std::unique_ptr<const ScsrBlocks> make_scsr_blocks(const Projector& weights,
                                                   const std::vector<int>& stored_views,
                                                   const std::string& blocking, ColumnOrder order);
/// Throws UsageError where a blocking does not suit the scan.
void require_scsr_blocking(const Projector& weights, const std::string& blocking);

}  // namespace gantry
