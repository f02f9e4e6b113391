#include "gpu/base/devices.hpp"

#include "gpu/base/check.hpp"

#include <cuda_runtime_api.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <optional>
#include <string_view>

namespace gantry {

namespace {

/// 0 where it cannot be told. Asking starts the device, so one that is not used is stopped again.
std::size_t free_bytes_of(int device) {
  std::size_t free = 0, total = 0;
  if (cudaSetDevice(device) != cudaSuccess || cudaMemGetInfo(&free, &total) != cudaSuccess) {
    cudaGetLastError();
    return 0;
  }
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
    cudaGetLastError();  // clears the error, so that it does not show up in somebody else's check
    return found;
  }
  for (int i = 0; i < count; ++i) {
    cudaDeviceProp properties{};
    if (cudaGetDeviceProperties(&properties, i) != cudaSuccess) {
      cudaGetLastError();
      continue;
    }
    found.devices.push_back(
        {i, properties.name, properties.major, properties.minor, properties.totalGlobalMem});
  }
  if (found.devices.empty()) found.problem = "no CUDA device was found";
  return found;
}

int choose_cuda_device(const CudaDevices& found) {
  if (found.devices.empty()) throw DeviceError(found.problem, "backend cuda", "use backend cpu");
  if (const char* wanted = std::getenv("GANTRY_CUDA_DEVICE"); wanted != nullptr && *wanted != 0) {
    if (const auto index = index_in(wanted, found)) return *index;
    throw DeviceError("\"" + std::string(wanted) + "\" names no GPU", "GANTRY_CUDA_DEVICE",
                      "use 0 to " + std::to_string(found.devices.back().index));
  }
  if (found.devices.size() == 1) return found.devices.front().index;
  std::vector<std::size_t> free;
  for (const CudaDevice& device : found.devices) free.push_back(free_bytes_of(device.index));
  const auto best = static_cast<std::size_t>(std::ranges::max_element(free) - free.begin());
  for (std::size_t i = 0; i < free.size(); ++i)
    if (i != best && cudaSetDevice(found.devices[i].index) == cudaSuccess) cudaDeviceReset();
  cudaSetDevice(found.devices[best].index);
  cudaGetLastError();
  return found.devices[best].index;
}

}  // namespace gantry
