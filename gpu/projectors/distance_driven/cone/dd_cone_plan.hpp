#pragma once

#include "core/geometry/scan_geometry.hpp"
#include "core/geometry/volume_grid.hpp"
#include "core/operator/gradient_step.hpp"

#include <cstddef>

namespace gantry {

/// How the products and the gradient step of the 3D distance-driven pair go through a scan, and
/// what they hold in device memory: known from the scan and the grid alone.
///
/// The forward product reads a copy of the volume as voxel columns (z along memory). The transpose
/// goes through the views by parts: the rays of a part lie as lines of rows around which zeros can
/// be read. A gradient step projects a portion of the views straight into such lines. The step
/// holds volume x 3 + data x 2 in all, the iterate, C, R and b included, where half of the data are
/// more than some MB: the voxel columns are the copy of x that the step is made from, R takes 16
/// bits a ray, and the portion takes what that leaves of two sets of data.
class DdConePlan {
 public:
  DdConePlan(const ScanGeometry& geometry, const VolumeGrid& grid);

  /// Floats of a view as lines of rows.
  std::size_t view_floats() const { return view_floats_; }
  /// Views of a part of the transpose.
  int views_at_once() const;
  /// Views of a portion of a gradient step.
  int portion() const;
  std::size_t portion_floats() const { return static_cast<std::size_t>(portion()) * view_floats_; }
  /// Sums of squares of a view, one per warp of the forward kernel that has the most.
  int view_squares() const;
  /// Tiles of the kernels that visit voxel columns: along x, along z, and along y.
  unsigned tiles_x() const { return tiles_x_; }
  unsigned tiles_z() const { return tiles_z_; }
  unsigned tiles_y() const { return tiles_y_; }
  /// Partial sums of a step: of the residuals of a portion, or of the change of the image.
  std::size_t partial_sums() const;
  /// Both norms of a step, and the sums of views or tiles of which the norms are the sums.
  std::size_t norms() const;

  /// Beside the operands of a product, tables included.
  std::size_t product_bytes() const;
  StepWorkspace step_workspace() const;

 private:
  int views_in(std::size_t bytes, std::size_t bytes_of_view) const;
  std::size_t tiles() const { return static_cast<std::size_t>(tiles_x_) * tiles_y_ * tiles_z_; }

  int views_, columns_, rows_;
  std::size_t voxels_, rays_, view_floats_, column_bytes_, table_bytes_;
  unsigned tiles_x_, tiles_y_, tiles_z_;
};

}  // namespace gantry
