#pragma once

#include "charts/painting/colour.hpp"
#include "core/metrics/region.hpp"
#include "gui/render/slice_camera.hpp"

#include <string>
#include <vector>

namespace gantry {

/// What a left drag on a slice draws.
enum class DrawMode { none, profile, region, distance, angle };
/// The shape of a region that is newly drawn: a circle from its centre, the others from corner to
/// corner.
enum class NewRegion { circle, ellipse, rectangle };

/// A measured region as shown on axial slices.
struct RegionMark {
  int id = 0;  ///< 0: newly drawn
  Region region;
  std::string label = {};
  Rgb colour = {0xFF, 0xFF, 0xFF};
  bool selected = false;
};
Rgb edgeColour();

/// A distance between two points, or the angle at the second of three points.
struct RulerMark {
  std::vector<PointMm> points;
  std::string label = {};
  bool selected = false;
};
/// Returns the colour of region `index`, which no run has.
Rgb regionColour(std::size_t index);
Rgb rulerColour();
double distance_mm(PointMm a, PointMm b);
/// Returns the angle at `vertex` between the directions to a and to b, from 0 to 180 degrees; 0
/// where a direction has no length.
double angle_degrees(PointMm a, PointMm vertex, PointMm b);

/// Returns the corners of the outline as a closed polygon, mm.
std::vector<PointMm> outlineOf(const Region& region);

/// The part of a region that a point touches.
enum class RegionPart { none, inside, rim };
/// Returns the part of a region within `reach_mm` of a point.
RegionPart regionPartAt(const Region& region, PointMm at, double reach_mm);

/// Returns the region that a drag from `from` to `to` makes.
Region newRegion(NewRegion shape, PointMm from, PointMm to);
/// Returns the region that a drag of a part of `before` makes: inside moves it; rim resizes it, by
/// one side where the drag begins at a side.
Region draggedRegion(const Region& before, RegionPart part, PointMm from, PointMm to,
                     double reach_mm);

}  // namespace gantry
