#pragma once

#include "core/matrix/matrix_format.hpp"
#include "gpu/base/cuda_backend.hpp"
#include "gpu/matrix/zone.hpp"

#include <memory>
#include <string>

namespace gantry {

/// The stored zone in cuART's dense sub-matrices, blocked "global" or "view": laid out on the host
/// (core/matrix/scsr_blocks.hpp), multiplied as it lies (kernels/zone_dense.cuh). For study.
std::unique_ptr<const Matrix> make_scsr_dense(const CudaBackend& cuda, const Projector& weights,
                                              const Zone& zone, const std::string& blocking);

}  // namespace gantry
