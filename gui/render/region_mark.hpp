#pragma once

#include "core/metrics/region.hpp"
#include "gui/render/colour.hpp"
#include "gui/render/slice_camera.hpp"

#include <string>
#include <vector>

namespace gantry {

/// The object that a left drag on a slice draws.
enum class DrawMode { none, profile, roi, background };

/// A measured region as shown on axial slices.
struct RegionMark {
  DrawMode role = DrawMode::roi;  ///< roi or background
  Region region;
};
std::string regionLabel(DrawMode role);
Rgb regionColour(DrawMode role);
Rgb edgeColour();

/// Returns the corners of the outline as a closed polygon, mm.
std::vector<PointMm> outlineOf(const Region& region);

/// The part of a region that a point touches.
enum class RegionPart { none, inside, rim };
/// Returns the part of a region within `reach_mm` of a point.
RegionPart regionPartAt(const Region& region, PointMm at, double reach_mm);

/// Returns the region that a drag from `from` to `to` makes. `part` is the part of `before` where
/// the drag began: none makes a new region of before's shape, from its centre (circle) or a corner
/// (box); inside moves `before`; rim resizes it.
Region draggedRegion(const Region& before, RegionPart part, PointMm from, PointMm to,
                     double reach_mm);

}  // namespace gantry
