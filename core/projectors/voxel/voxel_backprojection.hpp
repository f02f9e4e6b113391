#pragma once

#include "core/operator/projector.hpp"
#include "core/projectors/voxel/voxel_kernels.hpp"

#include <functional>
#include <span>
#include <vector>

namespace gantry {

/// Backprojection by interpolation: each voxel takes from each view the value where its centre
/// projects, linear between columns and (beside other rows) between rows, times distance^-power
/// (mm; the depth along the central ray for a flat detector, the distance from the source in the
/// plane of rotation for an arc, 1 for a parallel beam). Zero beyond the detector: the outermost
/// columns fade out over one cell, the outermost rows hold for half a cell. What the voxel-driven
/// projector and filtered backprojection have in common.
class VoxelBackprojection {
 public:
  /// Writes the values of some views, rows[i][row][column] for views[i], on as many threads as it
  /// likes; not called inside a parallel region.
  using LoadViews = std::function<void(std::span<const int> views, float* rows)>;

  /// The projector gives the grid and is asked to give way; the views come from `geometry`, which
  /// may differ from the projector's in its detector. Both must outlive this.
  VoxelBackprojection(const Projector& projector, const ScanGeometry& geometry, int power);

  /// volume += backprojection of the subset's views. Throws Interrupted; the volume is then
  /// undefined.
  void add(ViewSubset subset, const LoadViews& load, float* volume) const;

  /// Memory that add() takes beside its operands, bytes.
  std::size_t workspace_bytes() const;

 private:
  struct Tile;

  VoxelRow image_row(int view, int ix, int iy) const;
  VoxelAxis axis(int view) const;
  void arrange(const float* rows, float* lines) const;
  VoxelValues values(const float* lines, std::size_t place) const;
  void spread(std::span<const int> views, const float* lines, float* volume) const;
  void add_row(std::span<const int> views, const float* lines, int iy, float* volume) const;
  void add_tile(std::span<const int> views, const float* lines, const Tile& tile,
                float* volume) const;
  int batch() const;
  std::size_t view_values() const;

  const Projector& projector_;
  const ScanGeometry& geometry_;
  const VolumeGrid& grid_;
  VoxelBeam beam_;
  int power_;
  bool single_;  ///< one slice seen by one row, in its plane
};

}  // namespace gantry
