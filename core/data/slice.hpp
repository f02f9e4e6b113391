#pragma once

#include "core/data/volume.hpp"

#include <span>
#include <vector>

namespace gantry {

/// The viewing direction of a cut: axial cuts have constant z, coronal ones y, sagittal ones x.
enum class Axis { axial, coronal, sagittal };

/// A 2D cut through a volume, on the host. The value of pixel (iu, iv), whose centre is at (u0 + iu
/// du, v0 + iv dv) mm, is values[iv * width + iu]. Axial: u = x, v = y; coronal: u = x, v = z;
/// sagittal: u = y, v = z.
struct SliceImage {
  Axis axis = Axis::axial;
  int index = 0;           ///< index of the cut along the viewing axis
  double position_mm = 0;  ///< of the cut along that axis
  int width = 0, height = 0;
  double u0_mm = 0, v0_mm = 0, du_mm = 1, dv_mm = 1;
  std::vector<float> values;  ///< 1/mm

  /// Returns the bilinearly interpolated value at a point in mm. Beyond the outermost pixel centres
  /// the coordinates are clamped; outside the image the value is 0.
  double value_at(double u_mm, double v_mm) const;
  /// Returns whether a point in mm lies within the edges of the image.
  bool contains(double u_mm, double v_mm) const;
};

/// Returns the number of cuts along the viewing axis.
int slice_count(const VolumeGrid& grid, Axis axis);
/// Returns the position of a cut along the viewing axis, mm.
double slice_position_mm(const VolumeGrid& grid, Axis axis, int index);
/// Returns a cut with size and position but without values; `index` is clamped to the grid.
SliceImage slice_frame(const VolumeGrid& grid, Axis axis, int index);
/// Returns one cut. Only its values are transferred from a device.
SliceImage extract_slice(const VolumeGrid& grid, const Array& mu, Axis axis, int index);
/// Returns the same from values on the host, [iz][iy][ix].
SliceImage extract_slice(const VolumeGrid& grid, std::span<const float> values, Axis axis,
                         int index);

/// End points of a segment in the plane of a cut, mm.
struct LineSegment {
  double u0_mm = 0, v0_mm = 0, u1_mm = 0, v1_mm = 0;
  double length_mm() const;
  friend bool operator==(const LineSegment&, const LineSegment&) = default;
};

/// Values along a segment, bilinear, at equal steps of at most half a pixel.
struct LineProfile {
  std::vector<double> position_mm;  ///< distance from the start of the segment
  std::vector<double> value;        ///< 1/mm
};
LineProfile sample_profile(const SliceImage& slice, const LineSegment& segment);

}  // namespace gantry
