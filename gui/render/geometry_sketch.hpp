#pragma once

#include "charts/theme.hpp"
#include "core/data/volume.hpp"
#include "core/geometry/scan_geometry.hpp"

#include <cmath>
#include <string>
#include <vector>

namespace gantry {

/// A drawing of a scan as plain shapes, in world coordinates (mm).
struct Sketch {
  struct Line {
    std::vector<Vec3> points;
    Rgb colour;
    double opacity = 1;
    bool bold = false;
  };
  struct Face {  ///< a convex polygon
    std::vector<Vec3> corners;
    Rgb colour;
    double opacity = 1;
  };
  struct ArrowHead {
    Vec3 tip, direction;
    double length = 1;
    Rgb colour;
  };
  struct Ball {
    Vec3 centre;
    double radius = 1;
    Rgb colour;
  };
  struct Label {
    std::string text;
    Vec3 at, away_from;  ///< drawn beside `at`, on the side away from `away_from`
    Rgb colour;
  };

  std::vector<Line> lines;
  std::vector<Face> faces;
  std::vector<ArrowHead> heads;
  std::vector<Ball> balls;
  std::vector<Label> labels;
};

/// An upright cylinder about the rotation axis that encloses the scan at all its views, mm.
struct SketchBounds {
  double radius = 1, low_z = 0, high_z = 0;
  Vec3 centre() const { return {0, 0, 0.5 * (low_z + high_z)}; }
  /// Returns the radius of the sphere around the cylinder.
  double reach() const { return std::hypot(radius, 0.5 * (high_z - low_z)); }
};
SketchBounds sketchBounds(const ScanGeometry& geometry, const VolumeGrid& grid);

/// Returns the drawing of a scan at one view: volume, field of view, source path, source, rays,
/// detector and labelled axes.
Sketch sketchScan(const ScanGeometry& geometry, const VolumeGrid& grid, int view,
                  const Theme& theme);

/// Returns half the distance between the planes where the rays of a parallel beam begin and end in
/// the drawing, mm; a parallel beam has no source at which its rays could begin.
double parallelReach(const ScanGeometry& geometry, const VolumeGrid& grid);

}  // namespace gantry
