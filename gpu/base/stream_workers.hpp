#pragma once

#include "core/backend/lazy_backend.hpp"
#include "gpu/base/cuda_backend.hpp"
#include "gpu/base/devices.hpp"

#include <memory>
#include <mutex>
#include <vector>

namespace gantry {

/// Two workers on each of some devices, for products that stream through them (core's WorkerPool):
/// each a stream and a pool of its own, so that one's copies pass while the other's kernels run.
class StreamWorkers {
 public:
  /// `first` is the backend of the chosen device: its limit holds for every device.
  StreamWorkers(std::shared_ptr<LazyBackend> first, std::shared_ptr<ChosenCudaDevice> chosen)
      : first_(std::move(first)), chosen_(std::move(chosen)) {}

  /// Makes them when first called, then and later with shares of the memory that is free now.
  /// Throws DeviceError, or UsageError where the first device cannot be had.
  std::vector<Backend*> workers();

 private:
  void share_memory(const CudaBackend& first, std::size_t begin) const;

  std::shared_ptr<LazyBackend> first_;
  std::shared_ptr<ChosenCudaDevice> chosen_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<CudaBackend>> workers_;  // those of a device beside each other
};

}  // namespace gantry
