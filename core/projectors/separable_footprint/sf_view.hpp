#pragma once

#include "core/geometry/scan_geometry.hpp"
#include "core/projectors/common/slices.hpp"
#include "core/projectors/separable_footprint/sf_kernels.hpp"

#include <array>

namespace gantry {

/// A footprint in the plane of rotation: a trapezoid of height 1 over the detector, in cells (cell
/// c spans c .. c + 1), and the longest chord of its pixel, mm.
struct Trapezoid {
  std::array<double, 4> corner;  ///< ascending
  double chord_mm;

  /// Mean over cell c, times the chord.
  double weight_mm(int cell) const;
};

/// Pixels first .. last - 1 of a slice.
struct PixelRun {
  int first, last;
};

/// One view of a scan, as the separable footprint sees it: pixels of slices along u (see Slices).
class SfView {
 public:
  SfView(const ScanGeometry& geometry, const VolumeGrid& grid, int view);

  const Slices& slices() const { return slices_; }
  /// The footprint of pixel (i, slice k), in float64.
  Trapezoid footprint(int i, int k) const;

  /// What the kernels need: the pixels' corners on the plane between slices p - 1 and p.
  SfLine corners(int plane) const;
  /// Those of a slice's pixels from `first` on.
  SfChords chords(int k, int first = 0) const;
  /// Cells that a footprint of slice k may touch, 2 or more.
  int taps(int k) const;
  /// Pixels of slices k and k + 1 that SfKernels::forward_pair takes; last <= first: none.
  PixelRun pair(int k) const;
  /// The pixel of a slice that lies opposite to the source; coordinates change in one sense across
  /// the slices along the sides of pixels before it, and in the other along those after it.
  int turning_pixel() const;
  /// Pixels of slices k .. last - 1 beyond which no footprint touches the detector.
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
  double coordinate(Uw p) const;
  /// The ray to an edge of the detector: u = start + w slope, if parallel, else with the source as
  /// origin; `towards` has the sign of its way along w.
  struct Edge {
    double start, slope, towards;
  };
  Edge edge_of(double coordinate) const;
  /// Where it meets a line w = const; not finite if it does not.
  double u_of_edge(const Edge& edge, double w) const;
  /// Direction of the ray through a point, away from the source; of unit length if parallel.
  Uw ray(Uw p) const { return parallel_ ? forward_ : Uw{p.u - source_.u, p.w - source_.w}; }
  /// The coordinate's gradient stands across the ray: this is its length over that of ray().
  double steepness(Uw p) const;

  Slices slices_;
  bool parallel_, arc_;
  double sid_mm_, gain_, bias_;
  Uw across_, forward_, source_;
  std::array<Edge, 2> edges_;
};

}  // namespace gantry
