#pragma once

#include "core/matrix/matrix_format.hpp"
#include "gpu/base/cuda_backend.hpp"
#include "gpu/matrix/scsr/scsr_tiled.hpp"

#include <memory>

namespace gantry {

/// Makes the matrix of the stored views of a three-dimensional scan (scsr_cone_model.hpp). Of the
/// options, it supports weights in half precision and the transposes gather, atomics and unsafe.
std::unique_ptr<const Matrix> make_scsr_cone(const CudaBackend& cuda, const Projector& weights,
                                             const TiledOptions& options);
/// Returns an estimate of the bytes that this matrix takes.
std::size_t scsr_cone_bytes(const NonzeroEstimate& estimate, const Projector& weights,
                            const TiledOptions& options);
/// Returns the device memory that is taken in addition while such a matrix is built, bytes.
std::size_t scsr_cone_build_bytes(const NonzeroEstimate& estimate, const Projector& weights);

}  // namespace gantry
