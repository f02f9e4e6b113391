#pragma once

#include "core/data/volume.hpp"

#include <span>
#include <vector>

namespace gantry {

/// The direction a viewer looks along.
enum class Axis { axial, coronal, sagittal };

/// A 2D cut through a volume, on the host. Pixel (iu, iv) has its centre at (u0 + iu du, v0 + iv
/// dv) mm; values[iv * width + iu]. Axial: u = x, v = y; coronal: u = x, v = z; sagittal: u = y, v
/// = z.
struct SliceImage {
  Axis axis = Axis::axial;
  int index = 0;           ///< slice number along the viewing axis
  double position_mm = 0;  ///< of the slice along that axis
  int width = 0, height = 0;
  double u0_mm = 0, v0_mm = 0, du_mm = 1, dv_mm = 1;
  std::vector<float> values;  ///< 1/mm

  /// Bilinear value at a point in mm; outside the pixel centres' hull the nearest pixel's, outside
  /// the image 0.
  double value_at(double u_mm, double v_mm) const;
  bool contains(double u_mm, double v_mm) const;
};

int slice_count(const VolumeGrid& grid, Axis axis);
/// Position of a slice along the viewing axis, mm.
double slice_position_mm(const VolumeGrid& grid, Axis axis, int index);
/// An empty slice of the right size and place; `index` is clamped to the grid.
SliceImage slice_frame(const VolumeGrid& grid, Axis axis, int index);
/// Copies one slice; from a device nothing else travels.
SliceImage extract_slice(const VolumeGrid& grid, const Array& mu, Axis axis, int index);
/// The same of values on the host, [iz][iy][ix].
SliceImage extract_slice(const VolumeGrid& grid, std::span<const float> values, Axis axis,
                         int index);

/// A segment in the plane of a slice, mm.
struct LineSegment {
  double u0_mm = 0, v0_mm = 0, u1_mm = 0, v1_mm = 0;
  double length_mm() const;
  friend bool operator==(const LineSegment&, const LineSegment&) = default;
};

/// Values along a segment, bilinear, at equal steps of at most half a pixel.
struct LineProfile {
  std::vector<double> position_mm;  ///< from the segment's start
  std::vector<double> value;        ///< 1/mm
};
LineProfile sample_profile(const SliceImage& slice, const LineSegment& segment);

}  // namespace gantry
