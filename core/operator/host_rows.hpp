#pragma once

#include "core/operator/projector.hpp"
#include "core/operator/row_access.hpp"

#include <memory>

namespace gantry {

/// Returns the rows of a projector in host memory. The weights of some rays are computed in
/// parallel in advance, from the projector's single weights; the rays correct one after another, so
/// that results do not depend on the number of threads. The projector must have single weights and
/// outlive the object.
std::unique_ptr<RowAccess> host_rows(const Projector& projector);

/// Returns the memory of the weights that host_rows() computes in advance, bytes: two voxels for
/// each layer that a ray crosses, as in the plane, in vectors that grow by doubling.
std::size_t host_rows_bytes(const VolumeGrid& grid);

/// Returns the reach of the rays of a projector, see RowAccess::reach().
RowAccess::Reach ray_reach(const Projector& projector);

}  // namespace gantry
