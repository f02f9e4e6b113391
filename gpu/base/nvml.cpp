#include "gpu/base/nvml.hpp"

#include "gpu/base/check.hpp"
#include "gpu/base/shared_library.hpp"

namespace gantry {

namespace {

// The part of NVML's interface that is used here; the CUDA toolkit does not always contain its
// header.
struct NvmlDevice;
using Status = int;
struct NvmlMemory {
  unsigned long long total = 0, free = 0, used = 0;
};

struct Nvml {
  SharedLibrary library{"libnvidia-ml.so.1", "NVML", "NVIDIA's driver"};
  Status (*init)() = library.find("nvmlInit_v2");
  const char* (*error_text)(Status) = library.find("nvmlErrorString");
  Status (*device_of_bus)(const char*,
                          NvmlDevice**) = library.find("nvmlDeviceGetHandleByPciBusId_v2");
  /// Energy in mJ since the driver was loaded.
  Status (*energy)(NvmlDevice*,
                   unsigned long long*) = library.find("nvmlDeviceGetTotalEnergyConsumption");
  Status (*memory)(NvmlDevice*, NvmlMemory*) = library.find("nvmlDeviceGetMemoryInfo");

  Nvml() { require(init()); }
  void require(Status status) const {
    if (status != 0)
      throw DeviceError(std::string("NVIDIA's management library says ") + error_text(status));
  }
};

/// Returns the functions of NVML. Throws DeviceError where NVML is not installed.
const Nvml& nvml() {
  static const Nvml functions;
  return functions;
}

/// Finds the device by its PCI bus id: CUDA numbers only the devices visible to the program,
/// whereas NVML numbers all devices.
NvmlDevice* nvml_device(int cuda_device) {
  char bus[32] = {};
  check(cudaDeviceGetPCIBusId(bus, sizeof bus, cuda_device), "the GPU's address on the bus");
  NvmlDevice* device = nullptr;
  nvml().require(nvml().device_of_bus(bus, &device));
  return device;
}

class NvmlEnergy final : public EnergyCounter {
 public:
  explicit NvmlEnergy(int cuda_device) : device_(nvml_device(cuda_device)) { millijoules(); }
  double millijoules() const override {
    unsigned long long count = 0;
    nvml().require(nvml().energy(device_, &count));
    return static_cast<double>(count);
  }

 private:
  NvmlDevice* device_;
};

}  // namespace

std::unique_ptr<EnergyCounter> make_nvml_energy(int cuda_device) {
  return std::make_unique<NvmlEnergy>(cuda_device);
}

std::optional<std::size_t> nvml_free_bytes(int cuda_device) {
  try {
    NvmlMemory memory;
    nvml().require(nvml().memory(nvml_device(cuda_device), &memory));
    return memory.free;
  } catch (const DeviceError&) {
    return std::nullopt;
  }
}

}  // namespace gantry
