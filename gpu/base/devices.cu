#include "gpu/base/devices.hpp"

#include <cuda_runtime.h>

namespace gantry {

CudaDevices find_cuda_devices() {
  CudaDevices found;
  int count = 0;
  if (const cudaError_t error = cudaGetDeviceCount(&count); error != cudaSuccess) {
    found.problem = cudaGetErrorString(error);
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
        {properties.name, properties.major, properties.minor, properties.totalGlobalMem});
  }
  if (found.devices.empty()) found.problem = "no CUDA device was found";
  return found;
}

}  // namespace gantry
