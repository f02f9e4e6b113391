#include "gpu/base/check.hpp"

#include "gpu/base/device_scope.hpp"

#include <array>
#include <atomic>

namespace gantry {

namespace {

constexpr int most_devices = 64;
std::array<std::atomic<bool>, most_devices> lost_devices{};

/// Returns the device that an error is attributed to: that of the innermost DeviceScope of this
/// thread, otherwise CUDA's current device.
int current_device() {
  if (DeviceScope::current() >= 0) return DeviceScope::current();
  int device = 0;
  return cudaGetDevice(&device) == cudaSuccess ? device : 0;
}

void mark_lost(int device) {
  if (device >= 0 && device < most_devices) lost_devices[static_cast<std::size_t>(device)] = true;
}

[[noreturn]] void throw_out_of_memory(const char* doing, std::size_t needed_bytes) {
  std::size_t free = 0, total = 0;
  if (cudaMemGetInfo(&free, &total) != cudaSuccess) free = 0;
  cudaGetLastError();
  if (needed_bytes == 0) throw OutOfMemory(doing, free);
  throw OutOfMemory(doing, needed_bytes, free);
}

const char* remedy_for(cudaError_t status) {
  switch (status) {
    case cudaErrorNoKernelImageForDevice:
    case cudaErrorInvalidDeviceFunction:
    case cudaErrorUnsupportedPtxVersion:
      return "this program was not built for this GPU; build with CMAKE_CUDA_ARCHITECTURES=native, "
             "or use backend cpu";
    case cudaErrorDevicesUnavailable:
    case cudaErrorDeviceAlreadyInUse:
      return "another program has exclusive use of the GPU; end it, or use backend cpu";
    default:
      return "use backend cpu";
  }
}

}  // namespace

bool is_sticky(cudaError_t status) {
  switch (status) {
    case cudaErrorECCUncorrectable:
    case cudaErrorNvlinkUncorrectable:
    case cudaErrorContained:
    case cudaErrorIllegalAddress:
    case cudaErrorLaunchTimeout:
    case cudaErrorContextIsDestroyed:
    case cudaErrorAssert:
    case cudaErrorHardwareStackError:
    case cudaErrorIllegalInstruction:
    case cudaErrorMisalignedAddress:
    case cudaErrorInvalidAddressSpace:
    case cudaErrorInvalidPc:
    case cudaErrorLaunchFailure:
    case cudaErrorTensorMemoryLeak:
    case cudaErrorMpsClientTerminated:
    case cudaErrorExternalDevice:
    case cudaErrorUnknown:
      return true;
    default:
      return false;
  }
}

bool device_lost(int device) {
  return device >= 0 && device < most_devices && lost_devices[static_cast<std::size_t>(device)];
}

void require_device(int device) {
  if (device_lost(device))
    throw DeviceError("GPU " + std::to_string(device) + " was lost to an earlier error", {},
                      "the CPU backend goes on; restart the program to use the GPU again");
}

void check(cudaError_t status, const char* doing, std::size_t needed_bytes) {
  if (status == cudaSuccess) return;
  cudaGetLastError();  // clears the error, so that the next check does not report it again
  if (status == cudaErrorMemoryAllocation) throw_out_of_memory(doing, needed_bytes);
  const std::string what = std::string(doing) + ": " + cudaGetErrorString(status) + " (" +
                           cudaGetErrorName(status) + ")";
  if (!is_sticky(status)) throw DeviceError(what, {}, remedy_for(status));
  const int device = current_device();
  mark_lost(device);
  throw DeviceError(what + ": GPU " + std::to_string(device) + " was lost", {},
                    "the CPU backend goes on; restart the program to use the GPU again");
}

void check_launch(const char* kernel) { check(cudaGetLastError(), kernel); }

std::string describe_unfit(const cudaDeviceProp& properties) {
  constexpr int oldest_capability = 75;  // the oldest one that CUDA 13 compiles for
  const std::string name = properties.name;
  if (10 * properties.major + properties.minor < oldest_capability)
    return name + " is too old: its compute capability is " + std::to_string(properties.major) +
           "." + std::to_string(properties.minor) + ", 7.5 is needed";
  if (properties.memoryPoolsSupported == 0)
    return name + " does not support CUDA memory pools, which this program needs";
  return {};
}

std::string describe_absence(cudaError_t status) {
  int driver = 0, runtime = 0;
  if (status == cudaErrorInsufficientDriver && cudaDriverGetVersion(&driver) == cudaSuccess &&
      cudaRuntimeGetVersion(&runtime) == cudaSuccess) {
    if (driver == 0) return "no CUDA driver is installed";
    const auto text = [](int version) {
      return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
    };
    return "the CUDA driver is of version " + text(driver) + " and this program needs " +
           text(runtime) + "; install a newer driver";
  }
  if (status == cudaErrorNoDevice) return "no CUDA device was found";
  return cudaGetErrorString(status);
}

}  // namespace gantry
