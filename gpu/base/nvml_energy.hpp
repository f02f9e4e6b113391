#pragma once

#include "core/backend/energy_counter.hpp"

#include <memory>

namespace gantry {

/// The counter of a CUDA device, by NVIDIA's management library (NVML), which comes with the
/// driver. Throws DeviceError where that is not installed or the device has no counter.
std::unique_ptr<EnergyCounter> make_nvml_energy(int cuda_device);

}  // namespace gantry
