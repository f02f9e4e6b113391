#pragma once

#include "core/backend/backend.hpp"

#include <cstddef>
#include <span>
#include <vector>

namespace gantry {

/// A float32 vector on one backend. Owns its memory; move-only. The backend outlives it.
class Array {
 public:
  Array() = default;
  /// Not initialised. Throws OutOfMemory.
  Array(Backend& backend, std::size_t size);
  ~Array();
  Array(Array&& other) noexcept;
  Array& operator=(Array&& other) noexcept;
  Array(const Array&) = delete;
  Array& operator=(const Array&) = delete;

  static Array from(Backend& backend, std::span<const float> values);
  static Array filled(Backend& backend, std::size_t size, float value);

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  Backend& backend() const;
  float* data() { return memory_; }
  const float* data() const { return memory_; }

  /// Direct access on the CPU backend; throws ShapeError elsewhere.
  std::span<float> host();
  std::span<const float> host() const;

  Array clone() const;
  std::vector<float> to_host() const;

 private:
  Backend* backend_ = nullptr;
  float* memory_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace gantry
