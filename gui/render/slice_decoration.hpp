#pragma once

#include "charts/theme.hpp"
#include "core/data/slice.hpp"
#include "gui/render/colour_map.hpp"
#include "gui/render/region_mark.hpp"
#include "gui/render/slice_camera.hpp"

#include <optional>
#include <string>
#include <vector>

namespace gantry {

/// Letters at the edges of a view that name the direction of each edge.
struct EdgeLetters {
  std::string left, right, top, bottom;
};

/// Two lines across the whole view, where other planes cut the slice, in the colours of these.
struct CrossHair {
  PointMm at;
  Rgb vertical, horizontal;
};

/// A line that divides the view between two pictures, and what is on its sides.
struct Divider {
  double u_mm = 0;
  std::string left, right;
};

/// The line in which a turned plane cuts the slice, mm.
struct PlaneTrace {
  LineSegment line;
  Rgb colour;
};

/// Everything that is written or drawn over a slice.
struct SliceDecoration {
  std::string title, status, notice;
  std::vector<std::string> shorter_titles;  ///< where the title does not fit, the longest first
  /// What stands in the header instead of a status that does not fit there; empty: the status then
  /// stands in a line below.
  std::string brief_status;
  std::optional<Rgb> colour;  ///< of the run: its dot in the header, and its frame
  bool selected = false;      ///< draws the frame
  EdgeLetters letters;
  bool scale_bar = true;
  bool lengths_are_known = true;  ///< false: the scale bar is in cells
  bool colour_bar = false;
  std::string unit;
  double window = 1, level = 0.5;
  ColourMap map = ColourMap::grey;
  RectPx slice;  ///< rectangle of the slice in the view; empty without a slice
  std::vector<RulerMark> rulers;
  std::optional<Divider> divider;
  std::vector<RegionMark> regions;
  std::optional<LineSegment> edge;  ///< line along which an edge is measured
  std::optional<LineSegment> profile;
  std::optional<PointMm> cursor;
  std::optional<CrossHair> cross_hair;
  std::optional<PlaneTrace> trace;
};

/// A scale bar of a round length.
struct ScaleBar {
  double length_mm = 0;
  RectPx line;
};

/// Positions of the parts of a slice view. The picture takes the whole view, and the other parts
/// lie over the picture. Parts that do not fit are left out: the letters first, the picture last.
struct SliceLayout {
  RectPx header, picture;
  std::string title;  ///< the form of the title that the header has room for
  std::optional<RectPx> colour_bar;
  bool letters = false;
  bool status_in_header = false, brief_in_header = false, status_in_picture = false;
};

/// Returns the height of the header of a slice view of a height, logical pixels; 0 where the view
/// is too low for one. A slice that fits its view is kept clear of the header.
double sliceHeaderHeight(double view_height_px);

/// Computes the layout of a slice view of width_px x height_px logical pixels.
SliceLayout layoutSlice(double width_px, double height_px, double scale,
                        const SliceDecoration& decoration);

/// Returns the scale bar of a picture; none when the picture is too small.
std::optional<ScaleBar> scaleBarFor(const SliceLayout& layout, double mm_per_pixel);

void drawSliceDecoration(Painter& painter, const SliceLayout& layout,
                         const SliceDecoration& decoration, const SliceTransform& transform,
                         const Theme& theme);

}  // namespace gantry
