#pragma once

#include "core/base/error.hpp"

#include <cuda_runtime_api.h>

#include <cstddef>
#include <string>

namespace gantry {

/// Reports that a CUDA device cannot be used or that work on it failed.
class DeviceError : public Error {
 public:
  using Error::Error;
};

/// Throws OutOfMemory or DeviceError unless `status` is cudaSuccess. `doing` ("upload to the GPU")
/// begins the message. `needed_bytes` is the size of the allocation that failed, for the message of
/// OutOfMemory; 0 means that the size is not known. An error after which every CUDA call on the
/// device fails ("sticky") also marks the current device as lost.
void check(cudaError_t status, const char* doing, std::size_t needed_bytes = 0);

/// Throws DeviceError when the kernel just launched could not be launched. Errors inside the kernel
/// appear at a later check.
void check_launch(const char* kernel);

/// Returns whether the error makes the device unusable for the rest of the program's life.
bool is_sticky(cudaError_t status);

/// Returns whether check() met a sticky error on the device. The flag holds for the whole program,
/// as CUDA's own state does, and lets callers avoid further CUDA calls on the device.
bool device_lost(int device);

/// Throws DeviceError when the device is lost.
void require_device(int device);

/// Returns why this program cannot use the device ("... is too old: ..."); empty if the device is
/// usable.
std::string describe_unfit(const cudaDeviceProp& properties);

/// Returns why no CUDA device can be used ("no CUDA driver is installed", ...).
std::string describe_absence(cudaError_t status);

}  // namespace gantry
