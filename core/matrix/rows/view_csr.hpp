#pragma once

#include "core/matrix/matrix_format.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <vector>

namespace gantry {

/// The matrix rows of one view as CSR: for each detector cell, [row][column], its nonzeros in
/// ascending order of the voxels. The weights are computed in float64 and rounded once.
struct ViewCsr {
  std::vector<std::uint32_t> row_start;  ///< first nonzero of each cell, cells + 1 values
  std::vector<std::uint32_t> column;     ///< voxel index
  std::vector<float> weight;

  std::size_t nonzeros() const { return column.size(); }
};

struct RowWeights;

/// Appends a matrix row, its nonzeros sorted by voxels. `order` is room that the caller keeps for
/// the next row. (A variable of the thread would register its destructor, and where there is no
/// memory for that, the C library ends the program.)
void append_sorted(const RowWeights& row, std::vector<std::size_t>& order, ViewCsr& out);

/// Throws UsageError when a volume has 2^31 voxels or more, because matrix columns are used as
/// signed 32 bit offsets.
void require_countable_voxels(const Projector& weights);

/// Value of `most_rows` for all detector rows.
constexpr int every_row = std::numeric_limits<int>::max();

/// Returns the matrix rows of a view, of its first `most_rows` detector rows. After an interrupt
/// the result is incomplete.
ViewCsr view_csr(const Projector& weights, int view, int most_rows = every_row);

/// Calls use(i, matrix rows of views[i]) for each of `views`, several at a time in parallel and in
/// no particular order; checks for an interrupt between them. Throws UsageError as
/// require_countable_voxels(), Interrupted, the exceptions of use(), and OutOfMemory instead of
/// std::bad_alloc.
void for_each_view_csr(const Projector& weights, const std::vector<int>& views,
                       const std::function<void(std::size_t, ViewCsr)>& use,
                       int most_rows = every_row);

/// Returns 0, 1, ..., views - 1.
std::vector<int> every_view(const Projector& weights);

}  // namespace gantry
