#pragma once

#include <cstddef>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace gantry {

/// Properties of a CUDA device, as reported by the driver.
struct CudaDevice {
  int index = 0;
  std::string name;
  int major = 0, minor = 0;  ///< compute capability
  std::size_t memory_bytes = 0;
  int multiprocessors = 0;
};

/// The CUDA devices that this program can use.
struct CudaDevices {
  std::vector<CudaDevice> devices;
  std::string problem;  ///< why `devices` is empty ("no CUDA driver", ...); else empty
};

/// Lists the usable devices: loads the driver, but initialises no device. Never throws: a missing
/// driver is reported in CudaDevices::problem.
CudaDevices find_cuda_devices();

/// Chooses the device to compute on: the device that the environment variable GANTRY_CUDA_DEVICE
/// names, otherwise the device with the most free memory. The choice by memory is made when the
/// index is first requested. Thread-safe.
class ChosenCudaDevice {
 public:
  /// Throws DeviceError when `found` is empty or the variable names no usable device.
  explicit ChosenCudaDevice(CudaDevices found);

  int index();
  /// Names of all devices that may be chosen, joined by " or ".
  const std::string& name() const { return name_; }
  std::size_t count() const { return found_.devices.size(); }
  /// Returns the number of multiprocessors of the first device that may be chosen.
  int multiprocessors() const { return found_.devices.front().multiprocessors; }
  /// Returns the indices of all usable devices, the chosen one first.
  std::vector<int> chosen_first();

 private:
  CudaDevices found_;
  std::string name_;
  std::mutex mutex_;
  std::optional<int> index_;
};

}  // namespace gantry
