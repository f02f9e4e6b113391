#include "core/matrix/rows/view_csr.hpp"

#include "core/backend/cpu_backend.hpp"
#include "core/base/error.hpp"
#include "core/base/parallel_errors.hpp"
#include "core/operator/row_norms.hpp"
#include "core/operator/view_columns.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

namespace gantry {

void append_sorted(const RowWeights& row, std::vector<std::size_t>& order, ViewCsr& out) {
  order.resize(row.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&](std::size_t k) { return row.voxel[k]; });
  for (const std::size_t k : order) {
    out.column.push_back(static_cast<std::uint32_t>(row.voxel[k]));
    out.weight.push_back(static_cast<float>(row.weight[k]));
  }
  out.row_start.push_back(static_cast<std::uint32_t>(out.column.size()));
}

void require_countable_voxels(const Projector& weights) {
  if (weights.domain_size() > std::numeric_limits<std::int32_t>::max())
    throw UsageError("a matrix counts voxels in 31 bits; this grid has more than 2147483647",
                     "format", "compute the weights on the fly, or use a smaller grid");
}

namespace {

ViewCsr transposed(const ViewColumns& columns, std::size_t cells) {
  ViewCsr out;
  out.row_start.resize(cells + 1);
  for (const std::uint32_t cell : columns.cell) ++out.row_start[cell + 1];
  for (std::size_t cell = 0; cell < cells; ++cell) out.row_start[cell + 1] += out.row_start[cell];
  out.column.resize(columns.cell.size());
  out.weight.resize(columns.cell.size());
  std::vector<std::uint32_t> next(out.row_start.begin(), out.row_start.end() - 1);
  for (std::size_t voxel = 0; voxel + 1 < columns.start.size(); ++voxel)
    for (std::size_t k = columns.start[voxel]; k < columns.start[voxel + 1]; ++k) {
      const std::uint32_t at = next[columns.cell[k]]++;
      out.column[at] = static_cast<std::uint32_t>(voxel);
      out.weight[at] = columns.weight[k];
    }
  return out;
}

}  // namespace

ViewCsr view_csr(const Projector& weights, int view, int most_rows) {
  const auto rows = require_row_source(weights).view_rows(view);
  const ScanGeometry& scan = weights.geometry();
  const int rows_wanted = std::min(scan.rows(), most_rows);
  if (rows_wanted == scan.rows())
    if (const auto slices = rows->slice_columns())
      return transposed(columns_of_slices(weights, *slices), weights.cells_per_view());
  ViewCsr out;
  out.row_start.reserve(
      static_cast<std::size_t>(rows_wanted) * static_cast<std::size_t>(scan.columns()) + 1);
  out.row_start.push_back(0);
  RowWeights row;
  std::vector<std::size_t> order;
  for (int v = 0; v < rows_wanted; ++v)
    for (int u = 0; u < scan.columns(); ++u) {
      if (weights.interrupted()) return out;
      rows->weights(u, v, row);
      append_sorted(row, order, out);
    }
  out.column.shrink_to_fit();
  out.weight.shrink_to_fit();
  return out;
}

void for_each_view_csr(const Projector& weights, const std::vector<int>& views,
                       const std::function<void(std::size_t, ViewCsr)>& use, int most_rows) {
  require_countable_voxels(weights);
  ParallelErrors errors;
#pragma omp parallel for schedule(dynamic)
  for (std::size_t i = 0; i < views.size(); ++i)
    errors.run([&] {
      if (weights.interrupted()) return;
      ViewCsr rows = view_csr(weights, views[i], most_rows);
      if (!weights.interrupted()) use(i, std::move(rows));
    });
  weights.check_interrupt();
  try {
    errors.rethrow();
  } catch (const std::bad_alloc&) {
    throw OutOfMemory("the matrix", weights.workspace_bytes(), weights.backend().free_bytes());
  }
}

std::vector<int> every_view(const Projector& weights) {
  std::vector<int> views(static_cast<std::size_t>(weights.views()));
  std::iota(views.begin(), views.end(), 0);
  return views;
}

}  // namespace gantry
