#pragma once

// Matrix rows of the area-integral model (Zhang et al., Opt. Eng. 53 (2014) 113101), computed in
// float64 and in closed form on a device: the same arithmetic as AreaView::visit.
#include "core/projectors/area/area_view.hpp"
#include "gpu/matrix/rows/row_scan.hpp"

namespace gantry::device {

/// The strip that a detector column sees in a view, as a row of a model (row_scan.hpp).
struct AreaRow {
  AreaEdge low, high;  ///< borders with the neighbouring columns
  AreaStrip strip;
  int width;                                    ///< pixels of a layer
  double first_x_mm, first_y_mm, dx_mm, dy_mm;  ///< centre of pixel (0, 0), and pixel pitch
  double source_x_mm, source_y_mm;
  double whole;  ///< weight of a pixel wholly inside; with `divide`: times its source distance, mm
  bool divide;   ///< whether weights are divided by the pixel's distance from the source

  GANTRY_HD bool along_y() const { return strip.along_y; }

  /// Returns the pixels of a layer that the strip can meet.
  GANTRY_HD PixelSpan pixels(int slice) const {
    double from = 0, to = width;
    if (!strip.wide) {
      const double a = strip.start[0] + slice * strip.step[0],
                   b = strip.start[1] + slice * strip.step[1];
      from = fmax(fmin(fmin(a, a + strip.step[0]), fmin(b, b + strip.step[1])), 0.0);
      to = fmin(fmax(fmax(a, a + strip.step[0]), fmax(b, b + strip.step[1])), width * 1.0);
    }
    if (!(from <= to)) return {0, 0};
    return {most(static_cast<int>(from - 1e-9), 0), least(static_cast<int>(to + 1e-9) + 1, width)};
  }

  /// Returns the weight of a pixel of a layer, 0 if the strip does not meet it.
  GANTRY_HD double weight(int slice, int pixel) const {
    constexpr double least_share = 1e-14;  // smaller parts of a pixel are rounding errors
    const double x = first_x_mm + (along_y() ? pixel : slice) * dx_mm,
                 y = first_y_mm + (along_y() ? slice : pixel) * dy_mm;
    const Split l = split(low, x, y), h = split(high, x, y);
    const double share = h.below <= 0.5 ? h.below - l.below : l.above - h.above;
    if (!(share > least_share)) return 0;
    if (!divide) return share * whole;
    const double across = x - source_x_mm, ahead = y - source_y_mm;
    return share * whole / sqrt(across * across + ahead * ahead);
  }

 private:
  /// Parts of a pixel's area on either side of an edge.
  struct Split {
    double below, above;
  };
  /// Returns AreaEdge::split(x, y) of an edge.
  static GANTRY_HD Split split(const AreaEdge& edge, double x, double y) {
    const double distance = edge.nx * x + edge.ny * y - edge.offset_mm, t = fabs(distance);
    const double left = fmax(edge.half_sum - t, 0.0);
    const double beyond =
        t <= edge.half_difference ? 0.5 - t * edge.per_long : left * left * edge.per_corner;
    return distance > 0 ? Split{beyond, 1 - beyond} : Split{1 - beyond, beyond};
  }
};

/// The model of all matrix rows of the listed views.
struct AreaRows {
  RowScan scan;
  const AreaEdge* edge;    ///< [view][columns + 1]
  const AreaStrip* strip;  ///< [view][column]
  const double* source;    ///< [view][x, y], mm
  double first_x_mm, first_y_mm, dx_mm, dy_mm;
  bool area, parallel;  ///< area: AreaWeights::area, else AreaWeights::length

  GANTRY_HD AreaRow row(int v, int c) const {
    const std::size_t columns = static_cast<std::size_t>(scan.columns());
    const AreaEdge* between = edge + (static_cast<std::size_t>(v) * (columns + 1) + c);
    const AreaStrip& own = strip[static_cast<std::size_t>(v) * columns + c];
    return {between[0],
            between[1],
            own,
            scan.width(own.along_y),
            first_x_mm,
            first_y_mm,
            dx_mm,
            dy_mm,
            source[2 * v],
            source[2 * v + 1],
            area ? 1.0 : dx_mm * dy_mm * own.per_width,
            !area && !parallel};
  }
};

}  // namespace gantry::device
