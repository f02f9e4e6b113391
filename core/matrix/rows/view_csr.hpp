#pragma once

#include "core/matrix/matrix_format.hpp"

#include <cstdint>
#include <functional>
#include <limits>
#include <vector>

namespace gantry {

/// The rows of one view: the cells [row][column] of its detector, each with its nonzeros in
/// ascending order of voxels. Weights are float64 rounded once.
struct ViewCsr {
  std::vector<std::uint32_t> row_start;  ///< cells + 1
  std::vector<std::uint32_t> column;     ///< voxel index
  std::vector<float> weight;

  std::size_t nonzeros() const { return column.size(); }
};

/// Throws UsageError when a volume has 2^31 voxels or more: columns are taken for signed offsets of
/// 32 bits.
void require_countable_voxels(const Projector& weights);

/// For those who do not want the first rows of the detector alone.
constexpr int every_row = std::numeric_limits<int>::max();

/// Interrupted, it is not complete.
ViewCsr view_csr(const Projector& weights, int view, int most_rows = every_row);

/// Calls use(i, rows) for each of `views`, several at a time in parallel and in no order; gives way
/// between them. Throws Interrupted, what use() throws, and OutOfMemory in the place of
/// std::bad_alloc.
void for_each_view_csr(const Projector& weights, const std::vector<int>& views,
                       const std::function<void(std::size_t, ViewCsr)>& use,
                       int most_rows = every_row);

/// 0, 1, ... of all views.
std::vector<int> every_view(const Projector& weights);

}  // namespace gantry
