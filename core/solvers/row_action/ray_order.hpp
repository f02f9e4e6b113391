#pragma once

#include "core/operator/row_access.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace gantry {

/// A list of all rays, divided into classes, and the classes into views: view v has the classes
/// first_of_view[v] .. first_of_view[v + 1] - 1, and class k the rays first_ray[k] ..
/// first_ray[k + 1] - 1 of the list.
struct RayClasses {
  std::vector<std::uint32_t> rays;  ///< [view][row][column]
  std::vector<std::size_t> first_ray, first_of_view;
};

/// Returns the rays as they lie on the detector, view after view, each view in classes of 128
/// neighbouring rays. Throws UsageError if there are 2^32 rays or more.
RayClasses rays_of_views(const LinearOperator& A);

/// Returns the rays of each view in classes of rays that weigh no voxel in common: those of equal
/// column modulo the reach of columns, and of equal row modulo the reach of rows.
RayClasses classes_without_common_voxels(const LinearOperator& A, const RowAccess& rows);

/// Returns the rays of a view, as offsets within the view, in patches of 8 columns by 4 rows (in a
/// single detector row: 32 columns), row after row within a patch: rays that a warp of a GPU traces
/// together then read voxels that lie close to each other. Incomplete patches come last.
std::vector<std::uint32_t> rays_by_patches(int columns, int rows);

}  // namespace gantry
