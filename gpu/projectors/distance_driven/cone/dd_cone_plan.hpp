#pragma once

#include "core/geometry/scan_geometry.hpp"
#include "core/geometry/volume_grid.hpp"
#include "core/operator/gradient_step.hpp"

#include <cstddef>

namespace gantry {

/// Divides the products and the gradient step of the 3D distance-driven pair into portions of the
/// views, and says how much device memory they need. The plan depends on the scan and the grid
/// only.
///
/// The forward product reads a copy of the volume as voxel lines (z contiguous). The transpose
/// reads a copy of a portion of the views in which the rows of each cell are contiguous
/// (rays_to_row_lines). A gradient step projects a portion of the views straight into such a copy.
/// The step takes volume x 3 + data x 2 in all (more only where half of the data is less than some
/// MB):
///   volume x 3   the iterate, C, and the copy of x as voxel lines, from which the step projects
///   data x 2     b, R with 16 bits per ray, tables, and the copy of a portion, which takes the
///   rest
class DdConePlan {
 public:
  DdConePlan(const ScanGeometry& geometry, const VolumeGrid& grid);

  /// Floats of a view in the order of rays_to_row_lines, with padding.
  std::size_t view_floats() const { return view_floats_; }
  /// Views of a portion of the transpose.
  int views_at_once() const;
  /// Views of a portion of a gradient step.
  int portion() const;
  std::size_t portion_floats() const { return static_cast<std::size_t>(portion()) * view_floats_; }
  /// Sums of squares of a view: one per warp, for the forward kernel with the most warps.
  int view_squares() const;
  /// Tiles of the kernels that process voxel lines (voxel_lines.cuh): along x, along z, and along
  /// y.
  unsigned tiles_x() const { return tiles_x_; }
  unsigned tiles_z() const { return tiles_z_; }
  unsigned tiles_y() const { return tiles_y_; }
  /// Partial sums of a step: of the residuals of a portion, or of the change of the image.
  std::size_t partial_sums() const;
  /// Both norms of a step, and their partial sums, one per view or per y tile.
  std::size_t norms() const;

  /// Device memory of a product beside its operands, bytes; tables included.
  std::size_t product_bytes() const { return table_bytes_ + scratch_bytes(); }
  std::size_t scratch_bytes() const;
  StepWorkspace step_workspace() const;

 private:
  int views_in(std::size_t bytes, std::size_t bytes_of_view) const;
  std::size_t tiles() const { return static_cast<std::size_t>(tiles_x_) * tiles_y_ * tiles_z_; }

  int views_, columns_, rows_;
  std::size_t voxels_, rays_, view_floats_, column_bytes_, table_bytes_;
  unsigned tiles_x_, tiles_y_, tiles_z_;
};

}  // namespace gantry
