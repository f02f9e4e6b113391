#pragma once

#include "gpu/base/cuda_backend.hpp"

namespace gantry {

/// Decides whether an allocation of device memory, of page-locked memory or of a texture fails as
/// if there were no memory.
using AllocationFilter = bool (*)();

/// For tests, which make each allocation fail in turn: `refuses` is called before every allocation
/// from now on, by any thread; null: none fails on purpose.
void set_allocation_filter(AllocationFilter refuses);

/// Returns whether the allocation that is about to be made has to fail.
bool allocation_refused();

/// Calls allocate(), which returns a cudaError_t. Where there is no memory, returns the unused
/// memory of the backend's pool to the device and calls allocate() once more: released memory may
/// be fragmented, and textures do not come from the pool.
template <class Allocate>
cudaError_t allocate_or_trim(const CudaBackend& backend, const Allocate& allocate) {
  if (allocation_refused()) return cudaErrorMemoryAllocation;
  const cudaError_t status = allocate();
  if (status != cudaErrorMemoryAllocation) return status;
  cudaGetLastError();  // clears the error, so that the next check does not report it again
  backend.trim();
  return allocate();
}

}  // namespace gantry
