#pragma once

#include "gpu/base/cuda_backend.hpp"

#include <cstddef>
#include <limits>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace gantry {

/// Device memory for `count` elements of T: allocated in the order of the stream, not initialised,
/// move-only. The backend must outlive the buffer. Meant for tables and workspaces; the vectors of
/// solvers are of type Array.
template <class T>
class DeviceBuffer {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  DeviceBuffer() = default;
  /// Throws OutOfMemory, whose message begins with `purpose`.
  DeviceBuffer(const CudaBackend& backend, std::size_t count, const char* purpose = "a GPU table")
      : backend_(&backend), size_(count) {
    if (count > std::numeric_limits<std::size_t>::max() / sizeof(T))
      throw OutOfMemory(purpose, std::numeric_limits<std::size_t>::max(), backend.free_bytes());
    if (count > 0) memory_ = static_cast<T*>(backend.allocate_bytes(count * sizeof(T), purpose));
  }
  DeviceBuffer(const CudaBackend& backend, std::span<const T> values,
               const char* purpose = "a GPU table")
      : DeviceBuffer(backend, values.size(), purpose) {
    upload(values);
  }
  ~DeviceBuffer() {
    if (memory_ != nullptr) backend_->release_bytes(memory_);
  }
  DeviceBuffer(DeviceBuffer&& other) noexcept { swap(other); }
  DeviceBuffer& operator=(DeviceBuffer&& other) noexcept {
    swap(other);
    return *this;
  }
  DeviceBuffer(const DeviceBuffer&) = delete;
  DeviceBuffer& operator=(const DeviceBuffer&) = delete;

  T* data() { return memory_; }
  const T* data() const { return memory_; }
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }

  /// Copies `values` to the beginning of the buffer; throws ShapeError when the buffer is too
  /// small.
  void upload(std::span<const T> values) {
    if (values.size() > size_) throw ShapeError("upload to a GPU table: it is too small");
    if (!values.empty()) backend_->upload_bytes(values.data(), memory_, values.size_bytes());
  }
  std::vector<T> download() const {
    std::vector<T> values(size_);
    if (size_ > 0) backend_->download_bytes(memory_, values.data(), size_ * sizeof(T));
    return values;
  }

 private:
  void swap(DeviceBuffer& other) noexcept {
    std::swap(backend_, other.backend_);
    std::swap(memory_, other.memory_);
    std::swap(size_, other.size_);
  }

  const CudaBackend* backend_ = nullptr;
  T* memory_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace gantry
