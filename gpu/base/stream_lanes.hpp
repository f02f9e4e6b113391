#pragma once

#include "gpu/base/cuda_backend.hpp"

#include <memory>
#include <mutex>
#include <vector>

namespace gantry {

/// Two lanes on each of some devices, for products that stream through them (core's LaneTeam): each
/// a stream and a pool of its own, so that one's copies pass while the other's kernels run.
class StreamLanes {
 public:
  /// `first` stands for the first device: its limit holds for every device. It must be there when
  /// lanes() is called, not when this is destroyed.
  StreamLanes(const CudaBackend& first, std::vector<int> devices)
      : first_(first), devices_(std::move(devices)) {}

  /// Makes them when first called, then and later with shares of the memory that is free now.
  /// Throws DeviceError.
  std::vector<Backend*> lanes();

 private:
  void share_memory(std::size_t begin) const;

  const CudaBackend& first_;
  std::vector<int> devices_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<CudaBackend>> lanes_;  // those of a device beside each other
};

}  // namespace gantry
