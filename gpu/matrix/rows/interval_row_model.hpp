#pragma once

// Matrix rows whose weights in a layer are the path length through the layer, divided among the
// pixels of an interval in proportion to their overlap with it. For Siddon's ray (Med. Phys. 12
// (1985) 252) the interval lies between the crossings of the layer's two faces; for a
// distance-driven cell (De Man and Basu, Phys. Med. Biol. 49 (2004) 2463) between the rays through
// the cell's two edges, on the middle plane of the layer. In float64, as
// core/projectors/siddon_joseph/siddon_trace.hpp and dd_rows.cpp define them.
#include "gpu/matrix/rows/row_scan.hpp"

namespace gantry::device {

/// A ray among the layers: on the plane of layer k (its lower face, middle or upper face) the ray
/// is at start + k * step, in pixels from the lower face of pixel 0.
struct RowLine {
  double start, step;
};
/// The path of a ray through one layer.
struct RowPath {
  double mm;
  int along_y;  ///< whether the layers are planes y = const
};

/// The matrix row of a detector column in a view, as a row of a model (row_scan.hpp).
struct IntervalRow {
  RowLine a, b;    ///< ends of the interval, in either order
  double path_mm;  ///< through one layer
  bool y;          ///< whether the layers are planes y = const
  int width;       ///< pixels of a layer

  GANTRY_HD bool along_y() const { return y; }

  GANTRY_HD PixelSpan pixels(int slice) const {
    const Between u = between(slice);
    const double size = width;
    const int begin = static_cast<int>(floor(fmin(fmax(u.low, 0.0), size)));
    if (u.low == u.high)  // the ray runs along an axis: one pixel, the upper one of two
      return {begin, u.low >= 0 && u.low < size ? begin + 1 : begin};
    return {begin, static_cast<int>(ceil(fmin(fmax(u.high, 0.0), size)))};
  }

  GANTRY_HD double weight(int slice, int pixel) const {
    const Between u = between(slice);
    if (u.low == u.high) return path_mm;
    const double overlap = fmin(u.high, pixel + 1.0) - fmax(u.low, pixel * 1.0);
    return overlap > 0 ? path_mm * (overlap / (u.high - u.low)) : 0.0;
  }

 private:
  struct Between {
    double low, high;
  };
  GANTRY_HD Between between(int slice) const {
    const double from = a.start + slice * a.step, to = b.start + slice * b.step;
    return {fmin(from, to), fmax(from, to)};
  }
};

/// The model of all matrix rows of the listed views.
struct IntervalRows {
  RowScan scan;
  const RowLine* line;  ///< [view][column][2]
  const RowPath* path;  ///< [view][column]

  GANTRY_HD IntervalRow row(int v, int c) const {
    const std::size_t at = static_cast<std::size_t>(v) * scan.columns() + c;
    return {line[2 * at], line[2 * at + 1], path[at].mm, path[at].along_y != 0,
            scan.width(path[at].along_y != 0)};
  }
};

}  // namespace gantry::device
