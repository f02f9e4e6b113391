#pragma once

#include "core/data/volume.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace gantry {

/// A region in which values are measured, mm: an upright cylinder ("circle") or a box. The region
/// holds the voxels whose centre lies inside or on the rim; without limits in z, those of all
/// slices.
struct Region {
  enum class Shape { circle, box };
  Shape shape = Shape::circle;
  double x_mm = 0, y_mm = 0;                     ///< centre
  double half_width_mm = 0, half_height_mm = 0;  ///< along x and y; both are the radius of a circle
  double z_low_mm = -std::numeric_limits<double>::infinity();
  double z_high_mm = std::numeric_limits<double>::infinity();

  static Region circle(double x_mm, double y_mm, double radius_mm) {
    return {Shape::circle, x_mm, y_mm, radius_mm, radius_mm};
  }
  /// Returns the box between two opposite corners, given in any order.
  static Region box(double x0_mm, double y0_mm, double x1_mm, double y1_mm) {
    return {Shape::box, 0.5 * (x0_mm + x1_mm), 0.5 * (y0_mm + y1_mm), 0.5 * std::abs(x1_mm - x0_mm),
            0.5 * std::abs(y1_mm - y0_mm)};
  }

  bool limited_in_z() const { return std::isfinite(z_low_mm) || std::isfinite(z_high_mm); }
  bool contains(const Vec3& p) const;
  /// Throws UsageError for a size that is not positive, a number that is not finite, or z_low_mm >
  /// z_high_mm.
  void validate(const std::string& where) const;

  friend bool operator==(const Region&, const Region&) = default;
};

/// A segment across an edge, mm, in the slice nearest to z_mm (without z_mm: the middle slice, nz /
/// 2).
struct EdgeSegment {
  double x0_mm = 0, y0_mm = 0, x1_mm = 0, y1_mm = 0;
  std::optional<double> z_mm = {};

  double length_mm() const { return std::hypot(x1_mm - x0_mm, y1_mm - y0_mm); }
  /// Throws UsageError for a number that is not finite or a segment without length.
  void validate(const std::string& where) const;

  friend bool operator==(const EdgeSegment&, const EdgeSegment&) = default;
};

/// The regions and the segment of metrics that need no reference.
struct MeasurementRegions {
  std::optional<Region> roi, background;
  std::optional<EdgeSegment> edge;

  friend bool operator==(const MeasurementRegions&, const MeasurementRegions&) = default;
};

/// Reads a region, mm: "X,Y,R" is a circle, "X0,Y0,X1,Y1" a box; ",Z0,Z1" after either limits the
/// region in z. Throws UsageError naming `where`.
Region parse_region(const std::string& text, const std::string& where);
/// Reads a segment, mm: "X0,Y0,X1,Y1" or "X0,Y0,X1,Y1,Z". Throws UsageError naming `where`.
EdgeSegment parse_edge(const std::string& text, const std::string& where);
/// Return the text that parse_region() and parse_edge() read, rounded to a thousandth of a
/// millimetre.
std::string format_region(const Region& region);
std::string format_edge(const EdgeSegment& edge);

/// Returns the index of the slice in which a segment lies.
int edge_slice(const VolumeGrid& grid, const EdgeSegment& edge);

/// Returns a text such as "circle of radius 5 mm about (1, 2) mm" or "box of 4 x 6 mm about (1, 2)
/// mm".
std::string describe(const Region& region);

/// The indices of the voxels along one axis whose centres lie from low_mm to high_mm.
struct IndexRange {
  int first = 0, last = -1;  ///< both included
};
IndexRange index_range(double low_mm, double high_mm, double origin_mm, double spacing_mm,
                       int count);

/// The voxels whose centres lie in the bounding box of a region.
struct BoxOfVoxels {
  IndexRange x, y, z;
};
BoxOfVoxels box_of(const VolumeGrid& grid, const Region& region);

/// Calls visit(index) for each voxel of the grid in the region, in the order of the linear index.
/// Only the voxels of the region's bounding box are tested.
template <class Visit>
void for_each_voxel(const VolumeGrid& g, const Region& region, const Visit& visit) {
  const BoxOfVoxels box = box_of(g, region);
  for (int iz = box.z.first; iz <= box.z.last; ++iz)
    for (int iy = box.y.first; iy <= box.y.last; ++iy)
      for (int ix = box.x.first; ix <= box.x.last; ++ix)
        if (region.contains(g.voxel_center_mm(ix, iy, iz))) visit(g.index(ix, iy, iz));
}

/// Returns whether the region holds the centre of a voxel of the grid.
bool holds_voxel(const VolumeGrid& grid, const Region& region);

/// Returns the mask [iz][iy][ix] of a region: 1 inside, else 0.
std::vector<std::uint8_t> region_mask(const VolumeGrid& grid, const Region& region);

}  // namespace gantry
