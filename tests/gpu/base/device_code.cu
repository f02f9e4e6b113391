#include "tests/gpu/base/device_code.hpp"

namespace gantry::test {

namespace {

__global__ void trap() { asm("trap;"); }

__global__ void read(cudaTextureObject_t texture, bool layered, const float4* places, float* out,
                     int count) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= count) return;
  const float4 p = places[i];
  out[i] = layered ? tex2DLayered<float>(texture, p.x, p.y, static_cast<int>(p.z))
                   : tex3D<float>(texture, p.x, p.y, p.z);
}

}  // namespace

void launch_trap(cudaStream_t stream) { trap<<<1, 1, 0, stream>>>(); }

void read_texture(cudaTextureObject_t texture, bool layered, const float4* places, float* out,
                  int count, cudaStream_t stream) {
  read<<<static_cast<unsigned>((count + 63) / 64), 64, 0, stream>>>(texture, layered, places, out,
                                                                    count);
}

}  // namespace gantry::test
