#pragma once

#include <cstddef>
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

struct CudaDevices {
  std::vector<CudaDevice> devices;
  std::string problem;  ///< why there are none: "no CUDA driver", ...; empty when there are some
};

/// Never throws: a missing driver is a state, not an error.
CudaDevices find_cuda_devices();

/// The device to compute on: the one that the environment variable GANTRY_CUDA_DEVICE names, else
/// the one with most free memory. Throws DeviceError when the variable names none.
int choose_cuda_device(const CudaDevices& found);

}  // namespace gantry
