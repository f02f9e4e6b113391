#pragma once

#include "gpu/base/cuda_backend.hpp"

#include <cstddef>
#include <map>

namespace gantry {

/// Texture objects that read vectors in device memory by element index, without interpolation; one
/// for each vector that has been asked for. The backend must outlive them.
class LinearTextures {
 public:
  /// Element i of the vector is element first + i of the texture, because textures begin at
  /// multiples of the device's alignment.
  struct Vector {
    cudaTextureObject_t object;
    int first;
  };

  explicit LinearTextures(const CudaBackend& cuda) : cuda_(cuda) {}
  ~LinearTextures() { release(); }
  LinearTextures(const LinearTextures&) = delete;
  LinearTextures& operator=(const LinearTextures&) = delete;

  /// Returns the length of the longest vector that the device reads by such a texture.
  static std::size_t longest_vector(const CudaBackend& cuda);

  /// Returns the texture of a vector of float32 with `count` elements, the same for all vectors of
  /// this object. Throws Error of the device.
  Vector of(const float* vector, std::size_t count);

 private:
  void release() noexcept;

  const CudaBackend& cuda_;
  std::map<const float*, Vector> vectors_;
};

}  // namespace gantry
