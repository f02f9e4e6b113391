#pragma once

#include "core/base/error.hpp"

#include <cuda_runtime_api.h>

#include <cstddef>
#include <string>

namespace gantry {

/// The CUDA device cannot be used, or what it was given to do failed.
class DeviceError : public Error {
 public:
  using Error::Error;
};

/// Throws when a CUDA call failed: OutOfMemory, or DeviceError. `doing` begins the message: "upload
/// to the GPU". `needed_bytes` are told where memory was short; 0: not known. An error after which
/// CUDA answers nothing else on the device ("sticky") marks the current device as lost.
void check(cudaError_t status, const char* doing, std::size_t needed_bytes = 0);

/// After a kernel launch: throws when it could not be launched.
void check_launch(const char* kernel);

/// Whether this error spoils the device for the rest of the program's life.
bool is_sticky(cudaError_t status);

/// Whether a sticky error was met on the device. The state is CUDA's, of the whole program; this
/// remembers it, so that no further call is made.
bool device_lost(int device);

/// Throws DeviceError when the device is lost.
void require_device(int device);

/// Why this program cannot use a device: "... is too old: ..."; empty where it can.
std::string describe_unfit(const cudaDeviceProp& properties);

/// Why no CUDA device can be used: "no CUDA driver is installed", ...
std::string describe_absence(cudaError_t status);

}  // namespace gantry
