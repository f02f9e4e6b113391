#pragma once

#include "core/operator/projector.hpp"
#include "core/projectors/voxel/voxel_kernels.hpp"

#include <functional>
#include <span>
#include <vector>

namespace gantry {

/// Backprojection by interpolation, used by the voxel-driven projector and by filtered
/// backprojection: each voxel takes from each view the value where the voxel's centre projects,
/// interpolated linearly between columns and (unless the scan is a single slice seen by one row)
/// between rows, times distance^-power. The distance (mm) is the depth along the central ray for a
/// flat detector and the distance from the source in the plane of rotation for an arc; a parallel
/// beam has the weight 1. Beyond the centres of the outermost columns, values fall linearly to zero
/// within one cell; beyond the centres of the outermost rows, values stay constant for half a cell
/// and are zero from there on.
class VoxelBackprojection {
 public:
  /// Writes the values of some views to rows[i][row][column] for views[i]. Is never called inside a
  /// parallel region and may use any number of threads.
  using LoadViews = std::function<void(std::span<const int> views, float* rows)>;

  /// The grid and the interrupt are those of `projector`; the views are those of `geometry`, whose
  /// detector may differ from the projector's. Both must outlive this object.
  VoxelBackprojection(const Projector& projector, const ScanGeometry& geometry, int power);

  /// Adds the backprojection of the subset's views to the volume [iz][iy][ix]. Throws Interrupted;
  /// the volume is then undefined.
  void add(ViewSubset subset, const LoadViews& load, float* volume) const;

  /// Returns the memory that add() needs besides its operands, bytes.
  std::size_t workspace_bytes() const { return bytes(geometry_, grid_); }
  /// The workspace_bytes() of a backprojection for this scan and grid.
  static std::size_t bytes(const ScanGeometry& geometry, const VolumeGrid& grid);

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
  std::size_t view_values() const;

  const Projector& projector_;
  const ScanGeometry& geometry_;
  const VolumeGrid& grid_;
  VoxelBeam beam_;
  int power_;
  bool single_;  ///< a single slice seen by one detector row, without a cone
};

}  // namespace gantry
