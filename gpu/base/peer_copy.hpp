#pragma once

#include "gpu/base/cuda_backend.hpp"

#include <cstddef>

namespace gantry {

/// Lets every device of the two reach the other's pool directly, where the machine can; copies go
/// through the host otherwise.
void connect_devices(const CudaBackend& one, const CudaBackend& other);

/// Copies `bytes` from a device to another, in the order of both streams: after what was queued on
/// the source's, before what is queued on either afterwards.
void copy_between(const CudaBackend& from, const void* source, const CudaBackend& to, void* target,
                  std::size_t bytes);

}  // namespace gantry
