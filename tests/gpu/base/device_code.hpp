#pragma once

#include <cuda_runtime_api.h>

#include <vector_types.h>

namespace gantry::test {

/// A kernel that fails: CUDA gives up the device for the rest of the program.
void launch_trap(cudaStream_t stream);

/// out[i] = the texture at places[i] (x, y, z or layer, layered or not).
void read_texture(cudaTextureObject_t texture, bool layered, const float4* places, float* out,
                  int count, cudaStream_t stream);

}  // namespace gantry::test
