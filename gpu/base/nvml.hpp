#pragma once

#include "core/backend/energy_counter.hpp"

#include <cstddef>
#include <memory>
#include <optional>

namespace gantry {

/// The counter of a CUDA device, by NVIDIA's management library (NVML), which comes with the
/// driver. Throws DeviceError where that is not installed or the device has no counter.
std::unique_ptr<EnergyCounter> make_nvml_energy(int cuda_device);

/// Memory of a CUDA device that nobody has taken, asked of NVML: the device is not started. None
/// where NVML does not tell.
std::optional<std::size_t> nvml_free_bytes(int cuda_device);

}  // namespace gantry
