#pragma once

#include "core/base/params.hpp"
#include "core/operator/projector.hpp"

#include <memory>

namespace gantry {

/// Returns a projector with the matrix of make_distance_driven whose products are computed by
/// prefix sums, in 3D in both directions: the integral over a footprint is the difference of the
/// sums at the two edges, so that no loop depends on the number of pixels that a cell covers (Basu
/// and De Man, SPIE 6065 (2006); Liu, Fu, De Man et al., IEEE Trans. Comput. Imaging 3 (2017) 617).
/// The transpose is exact. Throws what make_distance_driven throws.
std::unique_ptr<Projector> make_distance_driven_branchless(
    Backend& backend, std::shared_ptr<const ScanGeometry> geometry, const VolumeGrid& grid,
    const Params& params);
/// Returns the memory of that projector's products.
ProductMemory distance_driven_branchless_memory(const ScanGeometry& geometry,
                                                const VolumeGrid& grid, int multiprocessors);

}  // namespace gantry
