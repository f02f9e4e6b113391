#pragma once

#include "core/base/params.hpp"
#include "core/operator/projector.hpp"

#include <memory>

namespace gantry {

/// The matrix of make_distance_driven, computed with prefix sums in both directions: the integral
/// over a footprint is a difference of two values of the sum, one at each edge, so that no loop
/// depends on how many pixels a cell covers (Basu and De Man, SPIE 6065 (2006); Liu, Fu, De Man et
/// al., IEEE Trans. Comput. Imaging 3 (2017) 617). The transpose is exact. Throws as
/// make_distance_driven does.
std::unique_ptr<Projector> make_distance_driven_branchless(
    Backend& backend, std::shared_ptr<const ScanGeometry> geometry, const VolumeGrid& grid,
    const Params& params);

}  // namespace gantry
