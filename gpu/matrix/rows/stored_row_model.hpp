#pragma once

// A matrix that is stored already, as a model of rows (row_scan.hpp): for projectors whose rows the
// device cannot compute. The three functions below replace those of row_scan.hpp.
#include "gpu/matrix/rows/row_scan.hpp"

#include <cstdint>

namespace gantry::device {

/// A matrix in CSR: the entries of matrix row i begin at start[i] and end before start[i + 1].
struct SparseRows {
  const std::int64_t* start;
  const int* index;
  const float* weight;
};

/// Entries begin .. end - 1 of the matrix, which ascend by pixel.
struct StoredRow {
  SparseRows rows;
  std::int64_t begin, end;
  int nx;
};

/// A matrix and its transpose.
struct StoredRows {
  RowScan scan;
  SparseRows rows, columns;  ///< [listed view][cell], [pixel]; entries ascend

  GANTRY_HD StoredRow row(int v, int c) const {
    const std::size_t at = static_cast<std::size_t>(v) * scan.columns() + c;
    return {rows, rows.start[at], rows.start[at + 1], scan.nx};
  }
};

template <class Visit>
GANTRY_HD void visit_block(const StoredRow& row, int x_low, int x_high, int y_low, int y_high,
                           const Visit& visit) {
  for (std::int64_t p = row.begin; p < row.end; ++p) {
    const int x = row.rows.index[p] % row.nx, y = row.rows.index[p] / row.nx;
    if (x >= x_low && x <= x_high && y >= y_low && y <= y_high)
      visit(x, y, static_cast<double>(row.rows.weight[p]));
  }
}

template <class Visit>
GANTRY_HD void visit_pixel(const StoredRows& model, int x, int y, const Visit& visit) {
  const std::size_t pixel = static_cast<std::size_t>(y) * model.scan.nx + x;
  for (std::int64_t p = model.columns.start[pixel]; p < model.columns.start[pixel + 1]; ++p)
    visit(model.columns.index[p], static_cast<double>(model.columns.weight[p]));
}

template <class Visit>
GANTRY_HD void visit_pair(const StoredRows& model, const PixelPair& pair, const Visit& visit) {
  const SparseRows& columns = model.columns;
  const std::size_t at = static_cast<std::size_t>(pair.y) * model.scan.nx + pair.x,
                    next = static_cast<std::size_t>(pair.next_y) * model.scan.nx + pair.next_x;
  std::int64_t p = columns.start[at], q = columns.start[next];
  const std::int64_t p_end = columns.start[at + 1], q_end = columns.start[next + 1];
  while (p < p_end || q < q_end) {
    const bool first = q == q_end || (p < p_end && columns.index[p] <= columns.index[q]),
               second = p == p_end || (q < q_end && columns.index[q] <= columns.index[p]);
    visit(first ? columns.index[p] : columns.index[q],
          first ? static_cast<double>(columns.weight[p]) : 0.0,
          second ? static_cast<double>(columns.weight[q]) : 0.0);
    p += first ? 1 : 0;
    q += second ? 1 : 0;
  }
}

}  // namespace gantry::device
