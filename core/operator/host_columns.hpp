#pragma once

#include "core/operator/column_access.hpp"
#include "core/operator/projector.hpp"

#include <memory>

namespace gantry {

/// Returns the columns of a projector in host memory. Each weight is computed when needed, by
/// projecting the voxel (ViewRows::voxel_weights). The projector must have single weights and
/// outlive the object.
std::unique_ptr<ColumnAccess> computed_columns(const Projector& projector);

/// Returns the same columns, stored voxel after voxel: stored_columns_bytes(). Throws Interrupted,
/// and UsageError if there are more than 2^30 rays.
std::unique_ptr<ColumnAccess> stored_columns(const Projector& projector);

/// Returns the most memory of stored columns: 8 bytes for each of the nonzeros, of a stack those of
/// one slice (4 bytes, and 4 for each run of up to four of them), and 16 bytes for each column.
inline std::size_t stored_columns_bytes(double nonzeros, std::size_t columns) {
  return static_cast<std::size_t>(8 * nonzeros) + 16 * (columns + 1);
}

}  // namespace gantry
