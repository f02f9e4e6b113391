#pragma once

#include "core/data/volume.hpp"
#include "core/geometry/scan_geometry.hpp"
#include "gui/render/theme.hpp"

#include <cmath>
#include <string>
#include <vector>

namespace gantry {

/// A drawing of a scan in world millimetres, as plain shapes.
struct Sketch {
  struct Line {
    std::vector<Vec3> points;
    Rgb colour;
    double opacity = 1;
    bool bold = false;
  };
  struct Face {  ///< convex
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
    Vec3 at, away_from;  ///< stands beside `at`, on the side away from the other point
    Rgb colour;
  };

  std::vector<Line> lines;
  std::vector<Face> faces;
  std::vector<ArrowHead> heads;
  std::vector<Ball> balls;
  std::vector<Label> labels;
};

/// An upright cylinder about the rotation axis that holds the whole scan in all of its views.
struct SketchBounds {
  double radius = 1, low_z = 0, high_z = 0;
  Vec3 centre() const { return {0, 0, 0.5 * (low_z + high_z)}; }
  /// Of the ball around the cylinder.
  double reach() const { return std::hypot(radius, 0.5 * (high_z - low_z)); }
};
SketchBounds sketchBounds(const ScanGeometry& geometry, const VolumeGrid& grid);

/// The scan at one view: volume, field of view, source path, source, rays, detector and signed
/// directions.
Sketch sketchScan(const ScanGeometry& geometry, const VolumeGrid& grid, int view,
                  const Theme& theme);

/// Half the distance between the planes where parallel rays start and end: such a beam has no
/// source to start from.
double parallelReach(const ScanGeometry& geometry, const VolumeGrid& grid);

}  // namespace gantry
