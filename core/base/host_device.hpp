#pragma once

// Marks functions that are compiled for the CPU and, in CUDA sources, for GPUs as well, so that
// both compute by the same code.
#ifdef __CUDACC__
#define GANTRY_HD __host__ __device__ __forceinline__
#else
#define GANTRY_HD inline
#endif

namespace gantry::device {

/// Loads a value that no thread writes during the kernel (through the read-only cache).
GANTRY_HD float load(const float* at) {
#ifdef __CUDA_ARCH__
  return __ldg(at);
#else
  return *at;
#endif
}

}  // namespace gantry::device
