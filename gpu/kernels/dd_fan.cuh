#pragma once

// The 2D distance-driven pair by prefix sums (the branchless form: Basu and De Man, Proc. SPIE 6065
// (2006); definition and weights: core/projectors/dd_view.hpp). Both products are differences of a
// table at neighbouring edges, and an edge belongs to two neighbours: a warp takes 31 of them and
// 32 edges, looks up the table once for each edge, and takes differences between lanes at the end.
//
// Products run over values that share all weights, `Value` at a time (float or float4): the slices
// of a stack, or the eight images of one slice under the symmetries of a scan. Where these lie in
// memory is the layout's business.
#include "gpu/kernels/dd_fan_lane.cuh"

#include <vector_types.h>

namespace gantry::device {

/// Cells or pixels of a warp: its lanes are their edges.
constexpr int per_warp = 31;
/// Slices that the forward product of a stack takes at once (dd_fan_wide.cuh).
constexpr int wide_slices = 32;
/// Slices or views that are summed before differences are taken. More cost accuracy: the sums are
/// larger than their differences by the number of pixels (or cells) in a line.
constexpr int between_differences = 16;

/// The prefix sums of the slices of one kind, [value of width Value][slice][pixel edge].
struct SlicePlane {
  int width, count;   ///< pixels of a slice, slices
  int stride;         ///< from slice to slice: width + 2 at least
  int padded;         ///< slices with those added to make a multiple of 4, which are zero
  std::size_t first;  ///< of all values
  std::size_t size;   ///< stride * padded
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

  /// By value and by members: parameters of a kernel have no address.
  GANTRY_LANE SlicePlane plane(bool y) const {
    return {y ? along_y.width : along_x.width,   y ? along_y.count : along_x.count,
            y ? along_y.stride : along_x.stride, y ? along_y.padded : along_x.padded,
            y ? along_y.first : along_x.first,   y ? along_y.size : along_x.size};
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

/// Slices of a stack and their rows, which are as many; views first_view + nth view_stride.
struct StackLayout {
  static constexpr bool both_kinds = true;  ///< has slices along x as well as along y
  int nx, ny, slices, columns;
  int first_value;  ///< this pass begins here
  int first_view, view_stride;

  GANTRY_LANE int values_before() const { return first_value; }
  GANTRY_LANE bool has(int value) const { return first_value + value < slices; }
  GANTRY_LANE int view(int nth) const { return first_view + nth * view_stride; }
  GANTRY_LANE PixelMap pixels(int value, bool along_y) const {
    const std::ptrdiff_t first =
        static_cast<std::ptrdiff_t>(first_value + value) * nx * static_cast<std::ptrdiff_t>(ny);
    return along_y ? PixelMap{first, 1, nx} : PixelMap{first, nx, 1};
  }
  GANTRY_LANE RayLine rays(int nth, const DdFanView& of, int value) const {
    const std::ptrdiff_t row =
        static_cast<std::ptrdiff_t>(view(nth)) * slices + (first_value + value);
    return {row * columns + (of.reversed ? columns - 1 : 0), of.reversed ? -1 : 1};
  }
};

/// One slice under the eight symmetries: value g is the image that element g of the group makes of
/// it. One view of every eight is stored, and all stored ones have slices along y.
struct SymmetricLayout {
  static constexpr bool both_kinds = false;
  PixelMap pixel_map[8];
  const int* stored_view;
  const RayLine* ray_line;  ///< stored views x 8

  GANTRY_LANE int values_before() const { return 0; }
  GANTRY_LANE bool has(int) const { return true; }
  GANTRY_LANE int view(int nth) const { return stored_view[nth]; }
  GANTRY_LANE PixelMap pixels(int value, bool) const { return pixel_map[value]; }
  GANTRY_LANE RayLine rays(int nth, const DdFanView&, int value) const {
    return ray_line[8 * nth + value];
  }
};

/// Pixel (x, y) of a slice in a partial image: first + x per_x + y per_y.
struct FoldTerm {
  std::ptrdiff_t first, per_x, per_y;
};

/// A view of one kind, and where its prefix sums begin.
struct FanViewAt {
  FanLocate locate;
  unsigned row;
};

constexpr int most_fold_shares = 4;

/// The partial images that make up a slice. Direct ones run along x in memory (per_x is 1 or -1),
/// turned ones along y.
struct Fold {
  FoldTerm direct[4], turned[4];
  int has_direct, has_turned;   ///< 0: nothing
  int shares;                   ///< partial images of a term, and
  std::ptrdiff_t share_stride;  ///< from one to the next
  std::ptrdiff_t slice_stride;  ///< from slice to slice, of all terms
  int nx, ny;
};

}  // namespace gantry::device
