#pragma once

#include "core/metrics/region.hpp"
#include "gui/render/colour.hpp"
#include "gui/render/slice_camera.hpp"

#include <string>
#include <vector>

namespace gantry {

/// What a left drag on a slice draws.
enum class DrawMode { none, profile, roi, background };

/// A measured region as it is shown on axial slices.
struct RegionMark {
  DrawMode role = DrawMode::roi;  ///< roi or background
  Region region;
};
std::string regionLabel(DrawMode role);
Rgb regionColour(DrawMode role);
Rgb edgeColour();

/// Corners of the outline, in millimetres, closed.
std::vector<PointMm> outlineOf(const Region& region);

/// What a point touches of a region.
enum class RegionPart { none, inside, rim };
RegionPart regionPartAt(const Region& region, PointMm at, double reach_mm);

/// The region that a drag makes: a new one (none) of before's shape, from its centre (circle) or
/// corner (box); before moved (inside) or resized (rim).
Region draggedRegion(const Region& before, RegionPart part, PointMm from, PointMm to,
                     double reach_mm);

}  // namespace gantry
