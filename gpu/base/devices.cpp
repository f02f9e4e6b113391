#include "gpu/base/devices.hpp"

#include "gpu/base/check.hpp"
#include "gpu/base/nvml.hpp"

#include <cuda_runtime_api.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <optional>
#include <string_view>
#include <utility>

namespace gantry {

namespace {

/// Returns the free memory of the device, 0 where unknown. If NVML does not report the free memory,
/// the device is initialised for the query and reset afterwards.
std::size_t free_bytes_of(int device) {
  if (const auto free = nvml_free_bytes(device)) return *free;
  std::size_t free = 0, total = 0;
  if (cudaSetDevice(device) != cudaSuccess || cudaMemGetInfo(&free, &total) != cudaSuccess) {
    cudaGetLastError();
    return 0;
  }
  cudaDeviceReset();
  return free;
}

std::optional<int> index_in(std::string_view text, const CudaDevices& found) {
  int index = -1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), index);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  if (std::ranges::find(found.devices, index, &CudaDevice::index) == found.devices.end())
    return std::nullopt;
  return index;
}

}  // namespace

CudaDevices find_cuda_devices() {
  CudaDevices found;
  int count = 0;
  if (const cudaError_t error = cudaGetDeviceCount(&count); error != cudaSuccess) {
    found.problem = describe_absence(error);
    // Clears the error, so that a later check elsewhere does not report it.
    cudaGetLastError();
    return found;
  }
  for (int i = 0; i < count; ++i) {
    cudaDeviceProp properties{};
    if (cudaGetDeviceProperties(&properties, i) != cudaSuccess) {
      cudaGetLastError();
      continue;
    }
    if (std::string unfit = describe_unfit(properties); !unfit.empty()) {
      found.problem = std::move(unfit);
      continue;
    }
    found.devices.push_back({i, properties.name, properties.major, properties.minor,
                             properties.totalGlobalMem, properties.multiProcessorCount});
  }
  if (!found.devices.empty())
    found.problem.clear();
  else if (found.problem.empty())
    found.problem = "no CUDA device was found";
  return found;
}

ChosenCudaDevice::ChosenCudaDevice(CudaDevices found) : found_(std::move(found)) {
  const auto& devices = found_.devices;
  if (devices.empty()) throw DeviceError(found_.problem, "backend cuda", "use backend cpu");
  if (const char* wanted = std::getenv("GANTRY_CUDA_DEVICE"); wanted != nullptr && *wanted != 0) {
    index_ = index_in(wanted, found_);
    if (!index_)
      throw DeviceError("\"" + std::string(wanted) + "\" names no GPU", "GANTRY_CUDA_DEVICE",
                        "use 0 to " + std::to_string(devices.back().index));
  } else if (devices.size() == 1) {
    index_ = devices.front().index;
  }
  for (const CudaDevice& device : devices) {
    if (index_ && device.index != *index_) continue;
    if (name_.empty())
      name_ = device.name;
    else if (name_.find(device.name) == std::string::npos)
      name_ += " or " + device.name;
  }
}

int ChosenCudaDevice::index() {
  const std::scoped_lock lock(mutex_);
  if (index_) return *index_;
  std::vector<std::size_t> free;
  for (const CudaDevice& device : found_.devices) free.push_back(free_bytes_of(device.index));
  const auto best = static_cast<std::size_t>(std::ranges::max_element(free) - free.begin());
  index_ = found_.devices[best].index;
  return *index_;
}

std::vector<int> ChosenCudaDevice::chosen_first() {
  std::vector<int> order{index()};
  for (const CudaDevice& device : found_.devices)
    if (device.index != order.front()) order.push_back(device.index);
  return order;
}

}  // namespace gantry
