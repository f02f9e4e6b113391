#pragma once

#include "gpu/base/allocation.hpp"
#include "gpu/base/check.hpp"

#include <cstddef>
#include <span>
#include <type_traits>
#include <utility>

namespace gantry {

/// Page-locked host memory, which devices can copy without the host and can address from kernels.
/// Not initialised; move-only. The device must be current when a buffer is made or freed
/// (DeviceScope).
template <class T>
class PinnedBuffer {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  PinnedBuffer() = default;
  explicit PinnedBuffer(std::size_t count) : size_(count) {
    if (count == 0) return;
    void* memory = nullptr;
    constexpr unsigned flags = cudaHostAllocMapped | cudaHostAllocPortable;
    const cudaError_t status = allocation_refused()
                                   ? cudaErrorMemoryAllocation
                                   : cudaHostAlloc(&memory, count * sizeof(T), flags);
    check(status, "page-locked memory", count * sizeof(T));
    memory_ = static_cast<T*>(memory);
  }
  ~PinnedBuffer() {
    if (memory_ != nullptr && cudaFreeHost(memory_) != cudaSuccess) cudaGetLastError();
  }
  PinnedBuffer(PinnedBuffer&& other) noexcept { swap(other); }
  PinnedBuffer& operator=(PinnedBuffer&& other) noexcept {
    swap(other);
    return *this;
  }
  PinnedBuffer(const PinnedBuffer&) = delete;
  PinnedBuffer& operator=(const PinnedBuffer&) = delete;

  T* data() { return memory_; }
  const T* data() const { return memory_; }
  std::size_t size() const { return size_; }
  std::span<T> span() { return {memory_, size_}; }

  /// Returns the address of the memory for use in kernels.
  T* device_data() const {
    void* address = nullptr;
    check(cudaHostGetDevicePointer(&address, memory_, 0), "address page-locked memory");
    return static_cast<T*>(address);
  }

 private:
  void swap(PinnedBuffer& other) noexcept {
    std::swap(memory_, other.memory_);
    std::swap(size_, other.size_);
  }

  T* memory_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace gantry
