#pragma once

#include <cstddef>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace gantry {

/// A CUDA device as the driver describes it.
struct CudaDevice {
  int index = 0;
  std::string name;
  int major = 0, minor = 0;  ///< compute capability
  std::size_t memory_bytes = 0;
};

/// Those that this program can use.
struct CudaDevices {
  std::vector<CudaDevice> devices;
  std::string problem;  ///< why there are none: "no CUDA driver", ...; empty when there are some
};

/// Loads the driver and starts no device. Never throws: a missing driver is a state, not an error.
CudaDevices find_cuda_devices();

/// The device to compute on: the one that the environment variable GANTRY_CUDA_DEVICE names, else
/// the one with most free memory, which is looked for when the device is first needed. Several
/// threads may ask.
class ChosenCudaDevice {
 public:
  /// Throws DeviceError when there is none or the variable names none.
  explicit ChosenCudaDevice(CudaDevices found);

  int index();
  /// Of all that may be chosen.
  const std::string& name() const { return name_; }
  std::size_t count() const { return found_.devices.size(); }
  /// All devices, the chosen one first.
  std::vector<int> chosen_first();

 private:
  CudaDevices found_;
  std::string name_;
  std::mutex mutex_;
  std::optional<int> index_;
};

}  // namespace gantry
