#pragma once

#include "core/backend/energy_counter.hpp"

#include <cstddef>
#include <memory>
#include <optional>

namespace gantry {

/// Returns the energy counter of a CUDA device, read through NVIDIA's management library (NVML),
/// which is installed with the driver. Throws DeviceError where NVML is not installed or the device
/// has no counter.
std::unique_ptr<EnergyCounter> make_nvml_energy(int cuda_device);

/// Returns the free memory of a CUDA device in bytes, as reported by NVML, without initialising the
/// device; nullopt where NVML does not report the free memory.
std::optional<std::size_t> nvml_free_bytes(int cuda_device);

}  // namespace gantry
