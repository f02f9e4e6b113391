#pragma once

#include "core/geometry/scan_geometry.hpp"
#include "core/projectors/common/layers.hpp"

#include <cmath>
#include <utility>

namespace gantry {

/// The detector rows projected onto a voxel line, in voxels along z: row q spans origin + q pitch
/// to origin + (q + 1) pitch.
struct RowEdges {
  double origin, pitch;
};

/// Projections of the detector rows of one view onto the voxel lines along z. A whole voxel line
/// has one magnification, that of its centre: SDD over the centre's depth along the central ray
/// (flat detector) or over its distance from the source in the plane of rotation (arc), or 1 if the
/// beam does not diverge along z. The magnification does not depend on the detector column, so that
/// a voxel line is resampled onto the rows once for all columns that see it. The axial rectangle of
/// Long, Fessler and Balter, IEEE Trans. Med. Imaging 29 (2010) 1839, has the same magnification.
class AxialRows {
 public:
  AxialRows(const ScanGeometry& geometry, const VolumeGrid& grid, int view);

  /// Returns the rows on the voxel line of pixel i of layer k.
  RowEdges at(int i, int k) const { return with_pitch(pitch_at_detector_ * zoom(i, k)); }
  /// Returns rows whose pitches are lower and upper bounds for all voxel lines of layer k.
  std::pair<RowEdges, RowEdges> extremes(int k) const;
  /// A length in the plane of rotation at the voxel line of pixel i of layer k.
  struct Affine {
    double first, per_pixel, per_layer;
    double at(int i, int k) const { return first + i * per_pixel + k * per_layer; }
  };
  /// The row pitch is depth.at(i, k), on an arc hypot(depth.at(i, k), across.at(i, k)), in voxels.
  struct Pitch {
    Affine depth, across;
  };
  Pitch pitch() const;
  /// Return bounds of the row pitch over all voxel lines, in voxels.
  double smallest_pitch() const;
  double largest_pitch() const;

 private:
  RowEdges with_pitch(double pitch) const { return {source_z_ - first_edge_ * pitch, pitch}; }
  /// Returns 1 / magnification.
  double zoom(int i, int k) const {
    if (!diverges_) return 1;
    const double depth = depth_.at(i, k);
    if (!arc_) return depth;
    const double across = across_.at(i, k);
    return std::sqrt(depth * depth + across * across);
  }

  bool diverges_, arc_;
  int slices_, width_;
  /// Row pitch at the detector, voxels; lower edge of row 0, rows below the central ray; height of
  /// the source above the volume's bottom face, voxels.
  double pitch_at_detector_, first_edge_, source_z_;
  Affine depth_{}, across_{};  // over SDD
};

}  // namespace gantry
