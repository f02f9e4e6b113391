#pragma once

#include "gpu/base/cuda_backend.hpp"

#include <cstddef>

namespace gantry {

/// Lets each of the two devices access the other's memory pool directly, where the machine supports
/// this; otherwise copies between the devices pass through the host.
void connect_devices(const CudaBackend& one, const CudaBackend& other);

/// Copies `bytes` from one device to another in the order of both streams: after the work queued so
/// far on either stream, and before work queued later on either stream.
void copy_between(const CudaBackend& from, const void* source, const CudaBackend& to, void* target,
                  std::size_t bytes);

}  // namespace gantry
