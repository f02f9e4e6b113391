#pragma once

// Data structures of the 2D distance-driven pair in its branchless form (Basu and De Man, Proc.
// SPIE 6065 (2006); definition and weights: core/projectors/distance_driven/dd_view.hpp).
//
// Each product is a difference of prefix sums at the two edges of a cell (forward) or of a pixel
// (transpose). Neighbours have an edge in common, so that a warp owns 31 cells or pixels by their
// 32 edges: each lane looks up the prefix sum at one edge, and the difference to the next lane is
// taken at the end.
//
//   lane      0   1   2        30  31
//   edge      0   1   2  ...   30  31
//   cell        0   1   2  ...   30      lane 31 owns no cell
//
// Images that have all weights in common (the slices of a stack, or the eight images of one slice
// under the symmetries of a scan) are processed together: a lane carries one float, or a float4 for
// four of them. The type is called Value; StackLayout and SymmetricLayout say where the images and
// their rays lie in memory.
//
// A layer is a line of pixels of one y (along_y) or of one x. Each view steps through the layers of
// one of these two kinds.
#include "gpu/projectors/distance_driven/fan/dd_fan_lane.cuh"
#include "gpu/projectors/distance_driven/fan/tuning.hpp"

#include <vector_types.h>

namespace gantry::device {

using dd_fan::fold_rows, dd_fan::fold_tile;
using dd_fan::most_line_parts, dd_fan::most_view_parts, dd_fan::per_warp, dd_fan::wide_slices;

/// Layers (forward) or views (transpose) that are summed before differences are taken. A larger
/// number costs accuracy, because a prefix sum is larger than a difference by the number of pixels
/// (or cells) in a line, and so is its rounding error.
constexpr int between_differences = 16;

/// The prefix sums of the layers of one kind: [Value][layer][pixel edge]. Where memory is short,
/// they are made of a band of the layers at a time, and forward products add up over bands.
struct LayerSums {
  int width, count;   ///< pixels of a layer, layers
  int stride;         ///< from layer to layer, in Values; width + 2 at least
  int begin, end;     ///< layers of the band; those from count on, up to a multiple of 4, are zero
  std::size_t first;  ///< offset of the first prefix sum of this kind, in Values
  std::size_t size;   ///< of a band, in Values
};

/// The tables and sizes of a scan, which all images have in common.
struct DdFanScan {
  const DdFanView* view;
  /// Views x (columns + 1): position of a cell's edge on the middle layer (.x) and its increment
  /// from layer to layer (.y); positions go from 0 to 1 over the width of a layer.
  const float2* edge;
  const float* cell;               ///< views x columns: path length per layer over the cell's width
  const float* length_mm;          ///< views x columns: path length per layer
  int columns, row_stride;         ///< cells; Values from view to view in the prefix sums of views
  int views;                       ///< of the product
  float gain, angle_square_third;  ///< of an arc detector: see FanLocate and fraction_below
  LayerSums along_y, along_x;
  int add;  ///< 1: a forward product adds to the sums of earlier bands

  /// Returns a copy, made member by member: a reference would move the kernel's parameters from
  /// constant memory to local memory.
  GANTRY_LANE LayerSums plane(bool y) const {
    return {y ? along_y.width : along_x.width,   y ? along_y.count : along_x.count,
            y ? along_y.stride : along_x.stride, y ? along_y.begin : along_x.begin,
            y ? along_y.end : along_x.end,       y ? along_y.first : along_x.first,
            y ? along_y.size : along_x.size};
  }
};

/// Pixel i of layer k lies at image[first + i per_i + k per_k].
struct ImageMap {
  std::ptrdiff_t first, per_i, per_k;
};

/// The cells of one row of one view: cell c lies at rays[first + c step].
struct RayLine {
  std::ptrdiff_t first;
  int step;
};

/// Rays that are stored in the memory of their prefix sums, which overwrite them later:
/// [Value of `width` floats][nth view][cell edge], each cell at its upper edge. Width 0: the rays
/// lie in the order of an array of rays instead.
struct RaysBeforeSums {
  int width = 0, views = 0, row_stride = 0;

  GANTRY_LANE RayLine line(int nth, int value) const {
    const std::ptrdiff_t row = static_cast<std::ptrdiff_t>(value / width) * views + nth;
    return {(row * row_stride + 1) * width + value % width, width};
  }
};

/// Images are the slices of a stack, each with one detector row; the nth view is view first_view +
/// nth view_stride of the scan.
struct StackLayout {
  static constexpr bool both_kinds = true;  ///< has layers of both kinds
  int nx, ny, slices, columns;
  int first_value;  ///< the first slice of this group
  int first_view, view_stride;
  RaysBeforeSums in_sums;

  GANTRY_LANE int values_before() const { return first_value; }
  GANTRY_LANE bool has(int value) const { return first_value + value < slices; }
  GANTRY_LANE int view(int nth) const { return first_view + nth * view_stride; }
  GANTRY_LANE ImageMap pixels(int value, bool along_y) const {
    const std::ptrdiff_t first =
        static_cast<std::ptrdiff_t>(first_value + value) * nx * static_cast<std::ptrdiff_t>(ny);
    return along_y ? ImageMap{first, 1, nx} : ImageMap{first, nx, 1};
  }
  GANTRY_LANE RayLine rays(int nth, const DdFanView& of, int value) const {
    if (in_sums.width > 0) return in_sums.line(nth, value);
    return row(static_cast<std::ptrdiff_t>(view(nth)) * slices + (first_value + value), of);
  }
  /// The rays of any slice, in an array that has the rays of one slice.
  GANTRY_LANE RayLine rays_of_slice(int nth, const DdFanView& of, int) const {
    return row(view(nth), of);
  }

 private:
  GANTRY_LANE RayLine row(std::ptrdiff_t nth, const DdFanView& of) const {
    return {nth * columns + (of.reversed ? columns - 1 : 0), of.reversed ? -1 : 1};
  }
};

/// Images are what the eight elements of the scan's symmetry group make of one slice: value g is
/// that of element g. One view of every eight is stored; all stored views have layers along y.
struct SymmetricLayout {
  static constexpr bool both_kinds = false;
  ImageMap pixel_map[8];
  const int* stored_view;
  const RayLine* ray_line;  ///< stored views x 8
  RaysBeforeSums in_sums;

  GANTRY_LANE int values_before() const { return 0; }
  GANTRY_LANE bool has(int) const { return true; }
  GANTRY_LANE int view(int nth) const { return stored_view[nth]; }
  GANTRY_LANE ImageMap pixels(int value, bool) const { return pixel_map[value]; }
  GANTRY_LANE RayLine rays(int nth, const DdFanView&, int value) const {
    return in_sums.width > 0 ? in_sums.line(nth, value) : ray_line[8 * nth + value];
  }
  GANTRY_LANE RayLine rays_of_slice(int nth, const DdFanView&, int value) const {
    return ray_line[8 * nth + value];
  }
};

/// `count` indices from `first` on, of which `gap` indices are left out after the first `split`.
struct Span {
  int first, count, split, gap;

  GANTRY_LANE int at(int nth) const { return first + nth + (nth < split ? 0 : gap); }
};

/// Layers (`lines`) and their pixels for which the transpose makes sums. The sums go to offset
/// `first` of a value's partial image, layer by layer. The blocks of a launch from first_block on
/// own them.
struct LayerRectangle {
  Span lines, pixels;
  unsigned first_block;
  std::size_t first;
};

/// The partial images of one kind of layers, to which the transpose writes its sums, or adds them
/// (`add`). Without a second rectangle, its first_block is the largest number.
struct Parts {
  float* first;
  int along_y, shares, add;
  std::size_t size;  ///< of a partial image
  LayerRectangle of[2];
};

/// Offset of pixel (x, y), counted as in a Fold, in a partial image: first + x per_x + y per_y.
struct FoldTerm {
  std::ptrdiff_t first, per_x, per_y;
};

/// A view of one kind, and the offset at which its prefix sums begin.
struct FanViewRow {
  FanLocate locate;
  unsigned row;
};

/// The partial images whose sum some pixels of a slice are. Direct ones are contiguous along x
/// (per_x is 1 or -1), exchanged terms along y. The blocks of a launch from first_tile on own them.
struct Fold {
  FoldTerm direct[4], exchanged[4];
  Span x, y;  ///< of the image
  unsigned first_tile;
};

/// The Folds of a launch. Without a second one, its first_tile is the largest number.
struct Folds {
  Fold of[2];
  int has_direct, has_exchanged;  ///< 0: there are no such terms
  int shares;                     ///< partial images per term: one for each part of the views
  std::ptrdiff_t share_stride;    ///< from one of them to the next
  std::ptrdiff_t slice_stride;    ///< from slice to slice, for all terms
  int nx, ny;                     ///< of the image
  unsigned tiles;                 ///< of a slice, in all launches
  std::size_t blocks_before;      ///< blocks of earlier launches, which precede those of this one
};

}  // namespace gantry::device
