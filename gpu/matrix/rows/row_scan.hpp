#pragma once

// Models of the rows of a matrix, of which a device builds it, in float64. A model has
//   scan       a RowScan: sizes, and which detector columns see a pixel;
//   row(v, c)  the matrix row of detector column c in the v-th of the listed views, with along_y(),
//              pixels(layer) and weight(layer, pixel); layers are what
//              core/projectors/common/layers.hpp describes.
// The matrix and its transpose both get their weights from row(v, c), so that both have the same
// nonzeros to the bit.
#include "gpu/projectors/common/seen_columns.hpp"

namespace gantry::device {

/// The sizes of a planar scan and its image, and which detector columns see a pixel.
struct RowScan {
  const SeenFrom* seen;  ///< [listed view]
  SeenBy detector;
  int nx, ny, views;  ///< views: the listed ones
  int spare;          ///< a weight may lie this many pixels beyond those that the ray's cell sees

  GANTRY_HD int columns() const { return detector.columns; }
  GANTRY_HD int slices(bool along_y) const { return along_y ? ny : nx; }
  GANTRY_HD int width(bool along_y) const { return along_y ? nx : ny; }
  GANTRY_HD int index(bool along_y, int slice, int pixel) const {
    return along_y ? slice * nx + pixel : pixel * nx + slice;
  }
  /// Returns the detector columns of the v-th view that can meet pixels x_low .. x_high, y_low ..
  /// y_high.
  GANTRY_HD ColumnRange seen_by(int v, int x_low, int x_high, int y_low, int y_high) const {
    return seen_columns(seen[v], detector, x_low - spare, x_high + spare, y_low - spare,
                        y_high + spare);
  }
};

/// Pixels begin .. end - 1 of a layer.
struct PixelSpan {
  int begin, end;
};

/// Calls visit(x, y, weight) for the nonzeros of a matrix row in pixels x_low .. x_high, y_low ..
/// y_high, layer by layer.
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

/// Returns the weight of a matrix row in pixel (x, y), 0 if it has none.
template <class Row>
GANTRY_HD double weight_at(const Row& row, int x, int y) {
  const int slice = row.along_y() ? y : x, pixel = row.along_y() ? x : y;
  const PixelSpan span = row.pixels(slice);
  if (pixel < span.begin || pixel >= span.end) return 0;
  const double weight = row.weight(slice, pixel);
  return weight > 0 ? weight : 0;
}

/// Calls visit(ray, weight) for the nonzeros of pixel (x, y), ascending by ray; rays are numbered
/// [listed view][column].
template <class Model, class Visit>
GANTRY_HD void visit_pixel(const Model& model, int x, int y, const Visit& visit) {
  for (int v = 0; v < model.scan.views; ++v) {
    const ColumnRange range = model.scan.seen_by(v, x, x, y, y);
    for (int c = range.first; c <= range.last; ++c)
      if (const double weight = weight_at(model.row(v, c), x, y); weight > 0)
        visit(v * model.scan.columns() + c, weight);
  }
}

/// Two neighbouring pixels of the image, the second at x + 1 or at y + 1.
struct PixelPair {
  int x, y, next_x, next_y;
};
/// Calls visit(ray, weight, weight in the second pixel) for the rays that have a nonzero in either
/// pixel, ascending by ray.
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
