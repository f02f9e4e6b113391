#include "gpu/base/linear_textures.hpp"

#include <cstdint>

namespace gantry {

namespace {

constexpr std::size_t most_kept = 16;
constexpr cudaChannelFormatDesc floats{32, 0, 0, 0, cudaChannelFormatKindFloat};

std::size_t alignment(const CudaBackend& cuda) {
  int bytes = 0;
  check(cudaDeviceGetAttribute(&bytes, cudaDevAttrTextureAlignment, cuda.device()), "a texture");
  return static_cast<std::size_t>(bytes);
}

}  // namespace

std::size_t LinearTextures::longest_vector(const CudaBackend& cuda) {
  std::size_t most = 0;
  check(cudaDeviceGetTexture1DLinearMaxWidth(&most, &floats, cuda.device()), "a texture");
  return most - alignment(cuda) / sizeof(float);
}

LinearTextures::Vector LinearTextures::of(const float* vector, std::size_t count) {
  if (const auto found = vectors_.find(vector); found != vectors_.end()) return found->second;
  if (vectors_.size() == most_kept) release();
  const auto address = reinterpret_cast<std::uintptr_t>(vector),
             beyond = address % alignment(cuda_);
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear.devPtr = reinterpret_cast<void*>(address - beyond);
  resource.res.linear.desc = floats;
  resource.res.linear.sizeInBytes = beyond + count * sizeof(float);
  cudaTextureDesc texture{};
  texture.readMode = cudaReadModeElementType;
  Vector made{0, static_cast<int>(beyond / sizeof(float))};
  check(cudaCreateTextureObject(&made.object, &resource, &texture, nullptr), "a texture");
  return vectors_[vector] = made;
}

void LinearTextures::release() noexcept {
  if (vectors_.empty() || cuda_.lost()) return;
  cudaStreamSynchronize(cuda_.stream());  // kernels in the queue may still read by the textures
  for (const auto& [vector, texture] : vectors_) cudaDestroyTextureObject(texture.object);
  vectors_.clear();
}

}  // namespace gantry
