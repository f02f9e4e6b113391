#pragma once

#include "core/data/volume.hpp"
#include "core/geometry/scan_geometry.hpp"
#include "core/projectors/area/area_kernels.hpp"
#include "core/projectors/common/layers.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

namespace gantry {

/// The weights of the area-integral model.
enum class AreaWeights {
  area,   ///< area of strip and pixel in common over the pixel's area
  length  ///< area in common over the strip's width at the pixel's centre, mm
};

/// The line between two neighbouring cells of a view, n . p = offset with n of unit length and
/// pointing to larger columns, and the constants by which split() computes how the line cuts
/// pixels.
///
/// The part of a pixel's area that lies beyond a line at distance t from the pixel's centre is,
/// with A >= B the lengths of the pixel's sides projected on n,
///   1/2 - t/A                       up to t = (A - B)/2,
///   ((A + B)/2 - t)^2 / (2 A B)     up to t = (A + B)/2, and 0 from there on.
struct AreaEdge {
  double nx, ny, offset_mm;
  double half_sum, half_difference, per_long, per_corner;  ///< (A + B)/2, (A - B)/2, 1/A, 1/(2 A B)

  /// The fractions of a pixel's area on either side of the line: towards smaller columns (`below`)
  /// and larger columns (`above`). The smaller fraction is computed first, so that differences of
  /// small fractions keep their digits.
  struct Split {
    double below, above;
  };
  /// Returns the fractions for the pixel centred at (x, y), mm.
  Split split(double x, double y) const {
    const double distance = nx * x + ny * y - offset_mm, t = std::abs(distance);
    const double left = std::max(half_sum - t, 0.0);
    const double beyond = t <= half_difference ? 0.5 - t * per_long : left * left * per_corner;
    return distance > 0 ? Split{beyond, 1 - beyond} : Split{1 - beyond, beyond};
  }
};

/// Where the two edges of a strip cross the layers of the grid (see Layers), in pixels: edge e (0:
/// towards smaller columns, 1: larger) crosses the face between layers j - 1 and j at
/// start[e] + step[e] * j.
struct AreaStrip {
  bool along_y;  ///< the strip runs along y: its layers are y = const
  bool wide;     ///< the strip opens so far that a layer may lie inside it from end to end
  double start[2], step[2];
  double per_width;  ///< 1 / opening, 1/rad; parallel beam: 1 / pitch, 1/mm
};

/// Neighbouring columns whose strips run along the same axis and whose edges cross a layer within
/// one pixel, so that AreaKernels computes them.
struct AreaRun {
  bool along_y;
  double sign;  ///< 1 if the columns grow with the pixels of a layer, else -1
  int first_column, columns;
  std::vector<AreaCrossing> edges;  ///< columns + 1
};

/// The strips of one view in the plane of rotation, for the area-integral model: strip c is the
/// wedge (parallel beam: band) between the edges of column c, and
///   w_cj = area(strip c and pixel j in common) / area(pixel)
/// (Zhang et al., Opt. Eng. 53 (2014) 113101), computed here in closed form as the difference of
/// two half planes. All pixels must lie ahead of the source. A strip is followed layer by layer,
/// along the axis that is closer to the strip's direction.
class AreaView {
 public:
  AreaView(const ScanGeometry& geometry, const VolumeGrid& grid, int view, AreaWeights weights);

  int columns() const { return static_cast<int>(strips_.size()); }
  const AreaStrip& strip(int column) const { return strips_[static_cast<std::size_t>(column)]; }
  /// Returns the edges of the columns: columns() + 1, edge c before column c.
  const std::vector<AreaEdge>& edges() const { return edges_; }
  /// Returns the layers y = const (along_y) or x = const.
  const Layers& slices(bool along_y) const { return slices_[along_y ? 1 : 0]; }

  /// Returns the weight of a pixel of a layer y = const (if strip(column).along_y) or x = const in
  /// the strip of a column; 0 if they have nothing in common.
  double weight(int column, int layer, int pixel) const;

  /// Calls visit(layer, pixel, weight) for the pixels of layers first .. last - 1 that the strip of
  /// a column meets, in order. Layers are y = const if strip(column).along_y, else x = const.
  template <class Visit>
  void visit(int column, int first, int last, const Visit& visit) const;
  template <class Visit>
  void visit(int column, const Visit& on_pixel) const {
    visit(column, 0, slices(strip(column).along_y).count, on_pixel);
  }

  /// Returns the columns in runs, in order; columns of no run are left to visit().
  const std::vector<AreaRun>& runs() const { return runs_; }
  /// Returns the columns of no run.
  const std::vector<int>& single_columns() const { return single_columns_; }
  /// Returns what a weight is, apart from the area's share and the distance: mm, or 1 for areas.
  double scale(int column) const {
    return weights_ == AreaWeights::area ? 1 : pixel_area_ * strip(column).per_width;
  }
  /// Returns the distances of the layers from `first_layer` on, for weights of unit length.
  AreaDistance distance(bool along_y, int first_layer) const;

  /// Returns the number of pixels that the strip of a column meets, without computing weights.
  /// Pixels that the strip covers by less than 1e-9 of a pixel's side do not count.
  std::int64_t count(int column) const;

 private:
  struct Interval {
    double low, high;
  };
  /// Returns the interval of a layer between the outermost crossings of the strip's edges with the
  /// two faces of the layer, in pixels and cut to the grid.
  Interval extent(const AreaStrip& strip, int slice, int width) const {
    if (strip.wide) return {0, static_cast<double>(width)};
    const double a = strip.start[0] + slice * strip.step[0],
                 b = strip.start[1] + slice * strip.step[1];
    return {std::max(std::min(std::min(a, a + strip.step[0]), std::min(b, b + strip.step[1])), 0.0),
            std::min(std::max(std::max(a, a + strip.step[0]), std::max(b, b + strip.step[1])),
                     static_cast<double>(width))};
  }
  double source_distance_mm(double x, double y) const {
    const double dx = x - source_x_, dy = y - source_y_;
    return std::sqrt(dx * dx + dy * dy);  // hypot, which avoids overflow, takes ten times as long
  }
  AreaEdge edge(double normal_x, double normal_y, double offset_mm, Vec3 spacing_mm) const;
  AreaStrip strip_between(const AreaEdge& low, const AreaEdge& high, double opening) const;
  void find_runs();

  AreaWeights weights_;
  bool parallel_;
  double source_x_ = 0, source_y_ = 0, pixel_area_;
  Layers slices_[2];             // x = const, y = const
  std::vector<AreaEdge> edges_;  // columns + 1
  std::vector<AreaStrip> strips_;
  std::vector<AreaRun> runs_;
  std::vector<int> single_columns_;
};

inline double AreaView::weight(int column, int layer, int pixel) const {
  constexpr double least_share = 1e-14;  // smaller fractions may be rounding errors of zero
  const AreaStrip& strip = this->strip(column);
  const Layers& grid = slices(strip.along_y);
  const double w = grid.w_first_mm + layer * grid.w_spacing_mm,
               u = grid.u_lower_mm + (pixel + 0.5) * grid.u_spacing_mm;
  const double x = strip.along_y ? u : w, y = strip.along_y ? w : u;
  const AreaEdge::Split l = edges_[static_cast<std::size_t>(column)].split(x, y),
                        h = edges_[static_cast<std::size_t>(column) + 1].split(x, y);
  const double share = h.below <= 0.5 ? h.below - l.below : l.above - h.above;
  if (!(share > least_share)) return 0;
  if (weights_ == AreaWeights::area) return share;
  const double whole = pixel_area_ * strip.per_width;
  return share * (parallel_ ? whole : whole / source_distance_mm(x, y));
}

template <class Visit>
void AreaView::visit(int column, int first, int last, const Visit& visit) const {
  const AreaStrip& strip = this->strip(column);
  const Layers& grid = slices(strip.along_y);
  for (int slice = first; slice < last; ++slice) {
    const Interval extent = this->extent(strip, slice, grid.width);
    if (!(extent.low <= extent.high)) continue;
    const int begin = std::max(static_cast<int>(extent.low - 1e-9), 0),
              end = std::min(static_cast<int>(extent.high + 1e-9) + 1, grid.width);
    for (int pixel = begin; pixel < end; ++pixel)
      if (const double found = weight(column, slice, pixel); found > 0) visit(slice, pixel, found);
  }
}

}  // namespace gantry
