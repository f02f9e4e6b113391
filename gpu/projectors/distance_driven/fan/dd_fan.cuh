#pragma once

// The 2D distance-driven pair by prefix sums (the branchless form: Basu and De Man, Proc. SPIE 6065
// (2006); definition and weights: core/projectors/distance_driven/dd_view.hpp). Both products are
// differences of a table at neighbouring edges, and an edge belongs to two neighbours: a warp takes
// 31 of them and 32 edges, looks up the table once for each edge, and takes differences between
// lanes at the end.
//
// Products run over values that share all weights, `Value` at a time (float or float4): the slices
// of a stack, or the eight images of one slice under the symmetries of a scan. Where these lie in
// memory is the layout's business.
#include "gpu/projectors/distance_driven/fan/dd_fan_lane.cuh"

#include <vector_types.h>

namespace gantry::device {

/// Cells or pixels of a warp: its lanes are their edges.
constexpr int per_warp = 31;
/// Warps that a line of prefix sums is shared out to, at most.
constexpr int most_line_parts = 8;
/// Slices that the forward product of a stack takes at once (dd_fan_wide.cuh).
constexpr int wide_slices = 32;
/// Slices or views that are summed before differences are taken. More cost accuracy: the sums are
/// larger than their differences by the number of pixels (or cells) in a line.
constexpr int between_differences = 16;

/// The prefix sums of the slices of one kind, [value of width Value][slice][pixel edge]; of a band
/// of them, where memory is short: forward products add up over bands.
struct SlicePlane {
  int width, count;   ///< pixels of a slice, slices
  int stride;         ///< from slice to slice: width + 2 at least
  int begin, end;     ///< the band; slices beyond count, to make a multiple of 4, are zero
  std::size_t first;  ///< of all values
  std::size_t size;   ///< of a band
};

/// What does not change from value to value.
struct DdFanScan {
  const DdFanView* view;
  /// Views x (columns + 1): position of a cell's edge on the middle slice, and how it moves from
  /// slice to slice; positions are 0 to 1 over the width of a slice.
  const float2* edge;
  const float* cell;            ///< views x columns: path length over the cell's width
  const float* length_mm;       ///< views x columns: path length
  int columns, row_stride;      ///< cells; values from view to view in their prefix sums
  int views;                    ///< of those wanted
  float gain, third_of_square;  ///< of an arc: see DdFanView and share_below
  SlicePlane along_y, along_x;
  int add;  ///< whether a forward product adds to the rays: those of earlier bands

  /// By value and by members: parameters of a kernel have no address.
  GANTRY_LANE SlicePlane plane(bool y) const {
    return {y ? along_y.width : along_x.width,   y ? along_y.count : along_x.count,
            y ? along_y.stride : along_x.stride, y ? along_y.begin : along_x.begin,
            y ? along_y.end : along_x.end,       y ? along_y.first : along_x.first,
            y ? along_y.size : along_x.size};
  }
};

/// Value of image `at` for pixel i of slice k: at[first + i per_i + k per_k].
struct PixelMap {
  std::ptrdiff_t first, per_i, per_k;
};

/// The cells of one row of one view: at[first + cell step].
struct RayLine {
  std::ptrdiff_t first;
  int step;
};

/// Rays that lie where their prefix sums will: [value of width `width`][nth view][cell edge], a
/// cell at the edge behind it. Width 0: they lie as rays do.
struct RaysInSums {
  int width = 0, views = 0, row_stride = 0;

  GANTRY_LANE RayLine line(int nth, int value) const {
    const std::ptrdiff_t row = static_cast<std::ptrdiff_t>(value / width) * views + nth;
    return {(row * row_stride + 1) * width + value % width, width};
  }
};

/// Slices of a stack and their rows, which are as many; views first_view + nth view_stride.
struct StackLayout {
  static constexpr bool both_kinds = true;  ///< has slices along x as well as along y
  int nx, ny, slices, columns;
  int first_value;  ///< this pass begins here
  int first_view, view_stride;
  RaysInSums in_sums;

  GANTRY_LANE int values_before() const { return first_value; }
  GANTRY_LANE bool has(int value) const { return first_value + value < slices; }
  GANTRY_LANE int view(int nth) const { return first_view + nth * view_stride; }
  GANTRY_LANE PixelMap pixels(int value, bool along_y) const {
    const std::ptrdiff_t first =
        static_cast<std::ptrdiff_t>(first_value + value) * nx * static_cast<std::ptrdiff_t>(ny);
    return along_y ? PixelMap{first, 1, nx} : PixelMap{first, nx, 1};
  }
  GANTRY_LANE RayLine rays(int nth, const DdFanView& of, int value) const {
    if (in_sums.width > 0) return in_sums.line(nth, value);
    return row(static_cast<std::ptrdiff_t>(view(nth)) * slices + (first_value + value), of);
  }
  /// Those of any slice, in an array for one.
  GANTRY_LANE RayLine rays_of_slice(int nth, const DdFanView& of, int) const {
    return row(view(nth), of);
  }

 private:
  GANTRY_LANE RayLine row(std::ptrdiff_t nth, const DdFanView& of) const {
    return {nth * columns + (of.reversed ? columns - 1 : 0), of.reversed ? -1 : 1};
  }
};

/// One slice under the eight symmetries: value g is the image that element g of the group makes of
/// it. One view of every eight is stored, and all stored ones have slices along y.
struct SymmetricLayout {
  static constexpr bool both_kinds = false;
  PixelMap pixel_map[8];
  const int* stored_view;
  const RayLine* ray_line;  ///< stored views x 8
  RaysInSums in_sums;

  GANTRY_LANE int values_before() const { return 0; }
  GANTRY_LANE bool has(int) const { return true; }
  GANTRY_LANE int view(int nth) const { return stored_view[nth]; }
  GANTRY_LANE PixelMap pixels(int value, bool) const { return pixel_map[value]; }
  GANTRY_LANE RayLine rays(int nth, const DdFanView&, int value) const {
    return in_sums.width > 0 ? in_sums.line(nth, value) : ray_line[8 * nth + value];
  }
  GANTRY_LANE RayLine rays_of_slice(int nth, const DdFanView&, int value) const {
    return ray_line[8 * nth + value];
  }
};

/// Some of a line's places: from `first` on, but for `gap` of them that are left out after `split`.
struct Span {
  int first, count, split, gap;

  GANTRY_LANE int at(int nth) const { return first + nth + (nth < split ? 0 : gap); }
};

/// Slices, and pixels of them, whose sums the transpose makes, and where these go among the partial
/// image of a value: line by line. Blocks of a launch from first_block on have them.
struct Rectangle {
  Span lines, pixels;
  unsigned first_block;
  std::size_t first;
};

/// What becomes of the transpose's sums: they go to the partial images of one kind of slices, or
/// are added. The second rectangle may be none.
struct Parts {
  float* first;
  int along_y, shares, add;
  std::size_t size;  ///< of a partial image
  Rectangle of[2];
};

/// Pixel (x, y), as counted by a Fold, in a partial image: first + x per_x + y per_y.
struct FoldTerm {
  std::ptrdiff_t first, per_x, per_y;
};

/// A view of one kind, and where its prefix sums begin.
struct FanViewAt {
  FanLocate locate;
  unsigned row;
};

constexpr int most_fold_shares = 4;
/// Pixels a side of what a block adds up, and its rows of threads.
constexpr int fold_tile = 32, fold_rows = 8;

/// The partial images that make up some pixels of a slice. Direct ones run along x in memory (per_x
/// is 1 or -1), turned ones along y. Blocks of a launch from first_tile on have them.
struct Fold {
  FoldTerm direct[4], turned[4];
  Span x, y;  ///< of the image
  unsigned first_tile;
};

/// Those of a launch; the second may be none.
struct Folds {
  Fold of[2];
  int has_direct, has_turned;   ///< 0: nothing
  int shares;                   ///< partial images of a term, and
  std::ptrdiff_t share_stride;  ///< from one to the next
  std::ptrdiff_t slice_stride;  ///< from slice to slice, of all terms
  int nx, ny;                   ///< of the image
  unsigned tiles;               ///< of a slice, of all launches
  std::size_t blocks_before;    ///< of other launches, for the first slice
};

}  // namespace gantry::device
