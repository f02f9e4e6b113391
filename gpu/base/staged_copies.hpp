#pragma once

#include "gpu/base/event.hpp"
#include "gpu/base/pinned_buffer.hpp"

#include <array>
#include <cstddef>
#include <mutex>
#include <optional>

namespace gantry {

/// Copies between pageable host memory and a device through two page-locked slots, so that one is
/// copied while the device works on the other. With the device current. Any thread may call.
class StagedCopies {
 public:
  explicit StagedCopies(cudaStream_t stream) : stream_(stream) {}

  /// The host memory may be changed once this returns; the device has it in the stream's order.
  void upload(const void* host, void* device, std::size_t bytes);
  /// Waits for what was queued before, then for the copy.
  void download(const void* device, void* host, std::size_t bytes);

 private:
  struct Slot {
    PinnedBuffer<std::byte> memory;
    Event done;  // with what was queued last
  };
  Slot& slot(std::size_t index);
  bool copies_directly(const void* host, void* to, const void* from, std::size_t bytes,
                       cudaMemcpyKind kind) const;

  cudaStream_t stream_;
  std::mutex mutex_;
  std::array<std::optional<Slot>, 2> slots_;  // made when first used
  std::size_t next_ = 0;
};

}  // namespace gantry
