#pragma once

#include "gpu/base/check.hpp"

namespace gantry {

/// Makes a device the calling thread's current one, and again what was before when it goes. Begins
/// every public operation on a device, since any thread may call. Throws DeviceError when the
/// device is lost.
class DeviceScope {
 public:
  explicit DeviceScope(int device) {
    require_device(device);
    check(cudaGetDevice(&before_), "find the current GPU");
    if (before_ == device)
      before_ = -1;
    else
      check(cudaSetDevice(device), "switch to the GPU");
  }
  ~DeviceScope() {
    if (before_ >= 0) cudaSetDevice(before_);
  }
  DeviceScope(const DeviceScope&) = delete;
  DeviceScope& operator=(const DeviceScope&) = delete;

 private:
  int before_ = -1;  // -1: nothing to restore
};

}  // namespace gantry
