#include "gpu/base/device_scope.hpp"

#include "gpu/base/check.hpp"

namespace gantry {

namespace {

thread_local int innermost = -1;

}  // namespace

DeviceScope::DeviceScope(int device) : device_(device), outer_(innermost) {
  require_device(device);
  if (outer_ != device) {
    int now = -1;
    check(cudaGetDevice(&now), "find the current GPU");
    if (now != device) check(cudaSetDevice(device), "switch to the GPU");
  }
  innermost = device;
}

DeviceScope::~DeviceScope() {
  innermost = outer_;
  if (outer_ >= 0 && outer_ != device_) cudaSetDevice(outer_);
}

int DeviceScope::current() { return innermost; }

}  // namespace gantry
