#pragma once

#include "gpu/matrix/rows/device_csr.hpp"

#include <cuda_fp16.h>

namespace gantry {

/// The weights of a matrix / unit as halves, none of them 0; its own ones in float32 are given up.
DeviceBuffer<__half> take_halves(const CudaBackend& cuda, DeviceCsr& matrix, float unit);

}  // namespace gantry
