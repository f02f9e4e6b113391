#pragma once

// Rows whose weights in a slice are the path through it, shared out over an interval: of Siddon's
// ray (Med. Phys. 12 (1985) 252) between its crossings of the slice's two faces, of a
// distance-driven cell (De Man and Basu, Phys. Med. Biol. 49 (2004) 2463) between the rays through
// its edges on the slice's middle. In float64, as core/projectors/siddon_joseph/siddon_trace.hpp
// and dd_rows.cpp define them.
#include "gpu/matrix/rows/row_scan.hpp"

namespace gantry::device {

/// A line in its slices: at pixel start + k step on the k-th of the planes that it is asked on.
struct RowLine {
  double start, step;
};
struct RowPath {
  double mm;  ///< from slice to slice
  int along_y;
};

struct IntervalRow {
  RowLine a, b;  ///< the interval lies between them
  double path_mm;
  bool y;
  int width;

  GANTRY_HD bool along_y() const { return y; }

  GANTRY_HD PixelSpan pixels(int slice) const {
    const Between u = between(slice);
    const double size = width;
    const int begin = static_cast<int>(floor(fmin(fmax(u.low, 0.0), size)));
    if (u.low == u.high)  // along the axis: one pixel, the upper one of two
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
