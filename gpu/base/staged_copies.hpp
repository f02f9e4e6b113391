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

  /// Lines of `count` values, side by side on the device and `pitch` values apart on the host, in
  /// one copy; false, and nothing done, where the host's memory is not page-locked.
  bool upload_lines(const float* host, std::size_t pitch, float* device, std::size_t count,
                    std::size_t lines);
  bool download_lines(const float* device, std::size_t count, std::size_t lines, float* host,
                      std::size_t pitch);

 private:
  struct Slot {
    PinnedBuffer<std::byte> memory;
    Event done;  // with what was queued last
  };
  Slot& slot(std::size_t index);
  static bool is_page_locked(const void* host);
  bool copies_directly(const void* host, void* to, const void* from, std::size_t bytes,
                       cudaMemcpyKind kind) const;

  cudaStream_t stream_;
  std::mutex mutex_;
  std::array<std::optional<Slot>, 2> slots_;  // made when first used
  std::size_t next_ = 0;
};

}  // namespace gantry
