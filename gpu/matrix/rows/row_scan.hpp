#pragma once

// The rows of a matrix view by view, in float64, as a device builds them. A model has
//   scan      a RowScan: sizes, and which columns see a pixel,
//   row(v, c) the row of column c in the v-th of the listed views: along_y(), pixels(slice) and
//             weight(slice, pixel), slices and pixels as in core/projectors/common/slices.hpp.
// Rows and columns of the matrix ask the same row for the same weight, so that both have the same
// nonzeros to the bit.
#include "gpu/projectors/common/seen_columns.hpp"

namespace gantry::device {

struct RowScan {
  const SeenFrom* seen;  ///< of the listed views
  SeenBy detector;
  int nx, ny, views;
  int spare;  ///< pixels that a weight may lie beyond what the ray's cell sees

  GANTRY_HD int columns() const { return detector.columns; }
  GANTRY_HD int slices(bool along_y) const { return along_y ? ny : nx; }
  GANTRY_HD int width(bool along_y) const { return along_y ? nx : ny; }
  GANTRY_HD int index(bool along_y, int slice, int pixel) const {
    return along_y ? slice * nx + pixel : pixel * nx + slice;
  }
  /// Columns of the v-th view that can meet a block of pixels.
  GANTRY_HD ColumnRange seen_by(int v, int x_low, int x_high, int y_low, int y_high) const {
    return seen_columns(seen[v], detector, x_low - spare, x_high + spare, y_low - spare,
                        y_high + spare);
  }
};

/// Pixels begin .. end - 1 of a slice.
struct PixelSpan {
  int begin, end;
};

/// Calls visit(pixel of the image, weight) for what a row has in pixels x_low .. x_high, y_low ..
/// y_high, slice by slice.
template <class Row, class Visit>
GANTRY_HD void visit_block(const Row& row, int x_low, int x_high, int y_low, int y_high,
                           const Visit& visit) {
  const bool along_y = row.along_y();
  const int first = along_y ? y_low : x_low, last = along_y ? y_high : x_high,
            low = along_y ? x_low : y_low, high = along_y ? x_high : y_high;
  for (int slice = first; slice <= last; ++slice) {
    const PixelSpan span = row.pixels(slice);
    for (int pixel = most(span.begin, low); pixel < least(span.end, high + 1); ++pixel)
      if (const double weight = row.weight(slice, pixel); weight > 0)
        visit(along_y ? pixel : slice, along_y ? slice : pixel, weight);
  }
}

/// What a row has in pixel (x, y); 0: nothing.
template <class Row>
GANTRY_HD double weight_at(const Row& row, int x, int y) {
  const int slice = row.along_y() ? y : x, pixel = row.along_y() ? x : y;
  const PixelSpan span = row.pixels(slice);
  if (pixel < span.begin || pixel >= span.end) return 0;
  const double weight = row.weight(slice, pixel);
  return weight > 0 ? weight : 0;
}

/// Calls visit(row of the listed views, weight) for the rows that have pixel (x, y), ascending.
template <class Model, class Visit>
GANTRY_HD void visit_pixel(const Model& model, int x, int y, const Visit& visit) {
  for (int v = 0; v < model.scan.views; ++v) {
    const ColumnRange range = model.scan.seen_by(v, x, x, y, y);
    for (int c = range.first; c <= range.last; ++c)
      if (const double weight = weight_at(model.row(v, c), x, y); weight > 0)
        visit(v * model.scan.columns() + c, weight);
  }
}

/// Two pixels of the image, the second beside or above the first.
struct PixelPair {
  int x, y, next_x, next_y;
};
/// Calls visit(row, weight, weight in the next pixel) for the rows that have any, ascending.
template <class Model, class Visit>
GANTRY_HD void visit_pair(const Model& model, const PixelPair& pair, const Visit& visit) {
  for (int v = 0; v < model.scan.views; ++v) {
    const ColumnRange range = model.scan.seen_by(v, pair.x, pair.next_x, pair.y, pair.next_y);
    for (int c = range.first; c <= range.last; ++c) {
      const auto row = model.row(v, c);
      const double weight = weight_at(row, pair.x, pair.y),
                   next = weight_at(row, pair.next_x, pair.next_y);
      if (weight > 0 || next > 0) visit(v * model.scan.columns() + c, weight, next);
    }
  }
}

}  // namespace gantry::device
