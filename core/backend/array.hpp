#pragma once

#include "core/backend/backend.hpp"

#include <cstddef>
#include <span>
#include <vector>

namespace gantry {

/// A float32 vector on one backend. The array owns its memory and is move-only. The backend must
/// outlive the array.
class Array {
 public:
  Array() = default;
  /// Allocates `size` values, not initialised. Throws OutOfMemory.
  Array(Backend& backend, std::size_t size);
  ~Array();
  Array(Array&& other) noexcept;
  Array& operator=(Array&& other) noexcept;
  Array(const Array&) = delete;
  Array& operator=(const Array&) = delete;

  /// Return a new array with a copy of `values` from the host, or with `size` times `value`.
  static Array from(Backend& backend, std::span<const float> values);
  static Array filled(Backend& backend, std::size_t size, float value);

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  /// Throws ShapeError for a default-constructed array.
  Backend& backend() const;
  float* data() { return memory_; }
  const float* data() const { return memory_; }

  /// Returns the values for direct access. Throws ShapeError if the array is not in host memory.
  std::span<float> host();
  std::span<const float> host() const;

  /// Return a copy on the same backend, and a copy on the host.
  Array clone() const;
  std::vector<float> to_host() const;

 private:
  Backend* backend_ = nullptr;
  float* memory_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace gantry
