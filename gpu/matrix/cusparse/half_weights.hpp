#pragma once

#include "gpu/matrix/rows/device_csr.hpp"

#include <cuda_fp16.h>

namespace gantry {

/// Returns the weights of a matrix divided by `unit` as halves, none of which is 0, and releases
/// the matrix's own float32 weights.
DeviceBuffer<__half> weights_as_halves(const CudaBackend& cuda, DeviceCsr& matrix, float unit);

}  // namespace gantry
