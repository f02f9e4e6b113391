#pragma once

#include "core/geometry/scan_geometry.hpp"
#include "core/projectors/common/slices.hpp"

#include <cmath>
#include <utility>

namespace gantry {

/// Row edges seen from a voxel column, in voxels along z: row q spans origin + q pitch to
/// origin + (q + 1) pitch.
struct RowEdges {
  double origin, pitch;
};

/// How one view's detector rows lie on the voxel columns. The magnification is that of the column's
/// centre: SDD over its depth along the central ray (flat detector), or over its distance from the
/// source in the plane of rotation (arc); 1 where the beam does not diverge along z. One number for
/// a whole column of voxels, whichever detector columns see it: its line is resampled onto the rows
/// once for all of them. Long, Fessler and Balter, IEEE Trans. Med. Imaging 29 (2010) 1839, take
/// the same for their axial rectangle.
class AxialRows {
 public:
  AxialRows(const ScanGeometry& geometry, const VolumeGrid& grid, int view);

  /// Seen from the column of pixel i on slice k.
  RowEdges at(int i, int k) const { return with_pitch(pitch_at_detector_ * zoom(i, k)); }
  /// Seen from columns as near and as far as any of slice k, or more so.
  std::pair<RowEdges, RowEdges> extremes(int k) const;
  /// Lowest and highest row over all columns, in voxels.
  double smallest_pitch() const;
  double largest_pitch() const;

 private:
  RowEdges with_pitch(double pitch) const { return {source_z_ - first_edge_ * pitch, pitch}; }
  /// 1 / magnification.
  double zoom(int i, int k) const {
    if (!diverges_) return 1;
    const double depth = depth_.at(i, k);
    if (!arc_) return depth;
    const double across = across_.at(i, k);
    return std::sqrt(depth * depth + across * across);
  }

  bool diverges_, arc_;
  int slices_, width_;
  double pitch_at_detector_, first_edge_, source_z_;  ///< voxels; rows below the source; voxels
  /// Of pixel (0, 0) and per pixel and slice, over SDD.
  struct Affine {
    double first, per_pixel, per_slice;
    double at(int i, int k) const { return first + i * per_pixel + k * per_slice; }
  };
  Affine depth_{}, across_{};
};

}  // namespace gantry
