#pragma once

#include "core/backend/lazy_backend.hpp"
#include "gpu/base/cuda_backend.hpp"
#include "gpu/base/devices.hpp"

#include <memory>
#include <mutex>
#include <vector>

namespace gantry {

/// Two workers on each of several devices, for products that stream through the devices (core's
/// WorkerPool). Each worker has a stream and a memory pool of its own, so that the copies of one
/// overlap with the kernels of the other.
class StreamWorkers {
 public:
  /// `first` is the backend of the chosen device; its memory limit applies to every device.
  StreamWorkers(std::shared_ptr<LazyBackend> first, std::shared_ptr<ChosenCudaDevice> chosen)
      : first_(std::move(first)), chosen_(std::move(chosen)) {}

  /// Returns the workers, which the first call creates. Every call divides the memory that is free
  /// now among the workers of a device. Throws DeviceError, or UsageError where the first device
  /// cannot be used.
  std::vector<Backend*> workers();

 private:
  void share_memory(const CudaBackend& first, std::size_t begin) const;

  std::shared_ptr<LazyBackend> first_;
  std::shared_ptr<ChosenCudaDevice> chosen_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<CudaBackend>> workers_;  // workers of one device are adjacent
};

}  // namespace gantry
