#pragma once

#include "core/geometry/scan_geometry.hpp"
#include "core/projectors/common/layers.hpp"
#include "core/projectors/separable_footprint/sf_kernels.hpp"

#include <algorithm>
#include <array>

namespace gantry {

/// A footprint in the plane of rotation: a trapezoid of height 1 over the detector, in cells (cell
/// c spans c .. c + 1), and the chord through the centre of the pixel, mm.
struct Trapezoid {
  std::array<double, 4> corner;  ///< ascending
  double chord_mm;

  /// Returns the area of the trapezoid below a place on the detector. Beyond the trapezoid it is
  /// constant to the last bit, so that cells there have the weight 0.
  double area_below(double at) const {
    at = std::clamp(at, corner[0], corner[3]);
    return ramp_area(at - corner[0], corner[1] - corner[0]) -
           ramp_area(at - corner[2], corner[3] - corner[2]);
  }
  /// Returns the mean of the trapezoid over a cell, times the chord.
  double weight_mm(int cell) const { return chord_mm * (area_below(cell + 1) - area_below(cell)); }

 private:
  /// Returns the integral up to x of a ramp that rises from 0 to 1 between 0 and `rise`.
  static double ramp_area(double x, double rise) {
    if (x <= 0) return 0;
    if (x >= rise) return 0.5 * rise + (x - rise);
    return 0.5 * x * x / rise;
  }
};

/// Pixels first .. last - 1 of a layer.
struct PixelRun {
  int first, last;
};

/// The geometry of one view for the separable footprint: projections and footprints of the pixels
/// of the layers (see Layers) that suit the view.
class SfView {
 public:
  SfView(const ScanGeometry& geometry, const VolumeGrid& grid, int view);

  const Layers& slices() const { return slices_; }
  /// Returns the footprint of pixel i of layer k, in float64.
  Trapezoid footprint(int i, int k) const;

  /// Returns the projections of the pixels' corners on the plane between layers plane - 1 and
  /// plane.
  SfLine corners(int plane) const;
  /// Returns the chords of the pixels of layer k, from pixel `first` on.
  SfChords chords(int k, int first = 0) const;
  /// Returns the number of cells that a footprint of layer k may touch, 2 or more.
  int taps(int k) const;
  /// Returns the pixels of layers k and k + 1 for which SfKernels::forward_pair may be used; if
  /// last <= first, there are none.
  PixelRun pair(int k) const;
  /// Returns the pixel at the u of the source, clamped to -1 .. width; -1 for a parallel beam.
  /// Across the layers, the projections of the sides of earlier pixels change in one direction, of
  /// later pixels in the other.
  int turning_pixel() const;
  /// Returns a run of pixels of layers k .. last - 1 outside of which no footprint touches the
  /// detector.
  PixelRun seen(int k, int last) const;

 private:
  struct Uw {
    double u, w;
  };
  double u_mm(double i) const { return slices_.u_lower_mm + (i + 0.5) * slices_.u_spacing_mm; }
  double w_mm(double k) const { return slices_.w_first_mm + k * slices_.w_spacing_mm; }
  double across_mm(Uw p) const { return p.u * across_.u + p.w * across_.w; }
  double depth_mm(Uw p) const {
    return parallel_ ? 1.0 : sid_mm_ + p.u * forward_.u + p.w * forward_.w;
  }
  /// Returns the projection of a point onto the detector, in cells.
  double coordinate(Uw p) const;
  /// The ray to an edge of the detector: u = start + w slope in a parallel beam, else
  /// u - u_source = (w - w_source) slope, where `towards` has the sign of the ray's direction
  /// along w.
  struct Edge {
    double start, slope, towards;
  };
  Edge edge_of(double coordinate) const;
  /// Returns the u at which such a ray meets w = const, or NaN if it does not.
  double u_of_edge(const Edge& edge, double w) const;
  /// Returns the vector from the source to a point; in a parallel beam, the direction of the rays,
  /// of unit length.
  Uw ray(Uw p) const { return parallel_ ? forward_ : Uw{p.u - source_.u, p.w - source_.w}; }
  /// Returns the length of the gradient of coordinate(), which is perpendicular to the ray, divided
  /// by the length of ray().
  double steepness(Uw p) const;

  Layers slices_;
  bool parallel_, arc_;
  double sid_mm_, gain_, bias_;
  Uw across_, forward_, source_;
  std::array<Edge, 2> edges_;
};

}  // namespace gantry
