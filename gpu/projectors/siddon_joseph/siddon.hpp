#pragma once

#include "core/base/params.hpp"
#include "core/operator/projector.hpp"

#include <memory>

namespace gantry {

/// Siddon's lengths on a CUDA device; the same matrix as make_siddon, for any scan.
std::unique_ptr<Projector> make_cuda_siddon(Backend& backend,
                                            std::shared_ptr<const ScanGeometry> geometry,
                                            const VolumeGrid& grid, const Params& params);

}  // namespace gantry
