#pragma once

#include "core/geometry/scan_geometry.hpp"
#include "core/projectors/sf_kernels.hpp"
#include "core/projectors/slices.hpp"

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

/// One view of a scan, as the separable footprint sees it: pixels of slices along u (see Slices).
class SfView {
 public:
  SfView(const ScanGeometry& geometry, const VolumeGrid& grid, int view);

  const Slices& slices() const { return slices_; }
  /// The footprint of pixel (i, slice k), in float64.
  Trapezoid footprint(int i, int k) const;

  /// What the kernels need: the pixels' corners along the lower (side 0) or upper side of a slice.
  SfLine corners(int k, int side) const;
  SfChords chords(int k) const;
  /// Cells that a footprint of slice k may touch, 2 or more.
  int taps(int k) const;

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

  Slices slices_;
  bool parallel_, arc_;
  double sid_mm_, gain_, bias_;
  Uw across_, forward_, source_;
};

}  // namespace gantry
