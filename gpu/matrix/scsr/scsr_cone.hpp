#pragma once

#include "core/matrix/matrix_format.hpp"
#include "gpu/base/cuda_backend.hpp"
#include "gpu/matrix/scsr/scsr_tiled.hpp"

#include <memory>

namespace gantry {

/// The stored stored views of a scan in space (kernels/scsr_cone_model.hpp): of options, weights in
/// half precision, and gather, atomics or unsafe for the transpose.
std::unique_ptr<const Matrix> make_scsr_cone(const CudaBackend& cuda, const Projector& weights,
                                             const TiledOptions& options);
std::size_t scsr_cone_bytes(const NonzeroEstimate& estimate, const Projector& weights,
                            const TiledOptions& options);

}  // namespace gantry
