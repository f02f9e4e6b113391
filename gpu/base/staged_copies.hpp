#pragma once

#include "gpu/base/event.hpp"
#include "gpu/base/pinned_buffer.hpp"

#include <array>
#include <cstddef>
#include <mutex>
#include <optional>

namespace gantry {

/// Copies between pageable host memory and a device through two page-locked slots: the host fills
/// or empties one slot while the device copies the other. The device must be current. Thread-safe.
class StagedCopies {
 public:
  explicit StagedCopies(cudaStream_t stream) : stream_(stream) {}

  /// Returns when the host memory may be changed; on the device the data arrive in the order of the
  /// stream.
  void upload(const void* host, void* device, std::size_t bytes);
  /// Waits for the work queued before, then for the copy.
  void download(const void* device, void* host, std::size_t bytes);

  /// Copies `lines` lines of `count` values, contiguous on the device and `pitch` values apart on
  /// the host, in a single transfer. Returns false, without copying, where the host memory is not
  /// page-locked or the pitch is too large.
  bool upload_lines(const float* host, std::size_t pitch, float* device, std::size_t count,
                    std::size_t lines);
  bool download_lines(const float* device, std::size_t count, std::size_t lines, float* host,
                      std::size_t pitch);

 private:
  struct Slot {
    PinnedBuffer<std::byte> memory;
    Event done;  // recorded behind the slot's latest copy
  };
  Slot& slot(std::size_t index);
  static bool is_page_locked(const void* host);
  bool copies_directly(const void* host, void* to, const void* from, std::size_t bytes,
                       cudaMemcpyKind kind) const;

  cudaStream_t stream_;
  std::mutex mutex_;
  std::array<std::optional<Slot>, 2> slots_;  // allocated at first use
  std::size_t next_ = 0;
};

}  // namespace gantry
