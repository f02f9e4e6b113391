#pragma once

#include "gpu/base/cuda_backend.hpp"

namespace gantry {

enum class TextureFilter { point, linear };

/// A CUDA array of float32 with a texture object that reads it by element coordinates (the centre
/// of element i lies at i + 0.5). Coordinates outside read the nearest element, or zero. Linear
/// filtering interpolates with a fraction of 8 bits. Move-only. The backend must outlive the
/// texture.
class Texture {
 public:
  struct Shape {
    std::size_t width = 0, height = 0, depth = 0;  ///< depth: number of images where layered
    bool layered = false;                          ///< 2D images without interpolation between them
  };

  Texture() = default;
  /// `zero_outside` reads zero outside instead of the nearest element. Throws OutOfMemory.
  Texture(const CudaBackend& backend, const Shape& shape, TextureFilter filter,
          bool zero_outside = false, const char* purpose = "a GPU texture");
  ~Texture();
  Texture(Texture&& other) noexcept { swap(other); }
  Texture& operator=(Texture&& other) noexcept {
    swap(other);
    return *this;
  }
  Texture(const Texture&) = delete;
  Texture& operator=(const Texture&) = delete;

  /// Replaces all elements by device memory [depth][height][width], in the order of the stream.
  void copy_from(const float* device);
  /// Replaces the images first .. first + count - 1 by device memory [count][height][width]. Throws
  /// ShapeError when they lie outside the texture.
  void copy_from(const float* device, std::size_t first, std::size_t count);

  cudaTextureObject_t object() const { return object_; }
  const Shape& shape() const { return shape_; }

 private:
  void release() noexcept;
  void swap(Texture& other) noexcept;

  const CudaBackend* backend_ = nullptr;
  Shape shape_;
  cudaArray_t array_ = nullptr;
  cudaTextureObject_t object_ = 0;
};

}  // namespace gantry
