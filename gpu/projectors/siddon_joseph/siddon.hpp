#pragma once

#include "core/base/params.hpp"
#include "core/operator/projector.hpp"

#include <memory>

namespace gantry {

/// Makes Siddon's projector on a CUDA device, with the same matrix as make_siddon, for any scan.
std::unique_ptr<Projector> make_cuda_siddon(Backend& backend,
                                            std::shared_ptr<const ScanGeometry> geometry,
                                            const VolumeGrid& grid, const Params& params);
/// Returns the memory of that projector's products.
ProductMemory cuda_siddon_memory(const ScanGeometry& geometry, const VolumeGrid& grid,
                                 int multiprocessors);

}  // namespace gantry
