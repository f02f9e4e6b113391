#include "gpu/base/nvml_energy.hpp"

#include "gpu/base/check.hpp"
#include "gpu/base/shared_library.hpp"

namespace gantry {

namespace {

// NVML's interface as far as it is used; its header comes with no toolkit.
struct NvmlDevice;
using Status = int;

struct Nvml {
  SharedLibrary library{"libnvidia-ml.so.1", "NVML", "NVIDIA's driver"};
  Status (*init)() = library.find("nvmlInit_v2");
  const char* (*error_text)(Status) = library.find("nvmlErrorString");
  Status (*device_of_bus)(const char*,
                          NvmlDevice**) = library.find("nvmlDeviceGetHandleByPciBusId_v2");
  /// mJ since the driver was loaded.
  Status (*energy)(NvmlDevice*,
                   unsigned long long*) = library.find("nvmlDeviceGetTotalEnergyConsumption");

  Nvml() { require(init()); }
  void require(Status status) const {
    if (status != 0)
      throw DeviceError(std::string("the GPU's energy is not known: NVML says ") +
                        error_text(status));
  }
};

/// Throws DeviceError where NVML is not installed.
const Nvml& nvml() {
  static const Nvml functions;
  return functions;
}

class NvmlEnergy final : public EnergyCounter {
 public:
  /// By its place on the bus: CUDA numbers the devices that it is shown, NVML all.
  explicit NvmlEnergy(int cuda_device) {
    char bus[32] = {};
    check(cudaDeviceGetPCIBusId(bus, sizeof bus, cuda_device), "the GPU's place on the bus");
    nvml().require(nvml().device_of_bus(bus, &device_));
    millijoules();
  }
  double millijoules() const override {
    unsigned long long count = 0;
    nvml().require(nvml().energy(device_, &count));
    return static_cast<double>(count);
  }

 private:
  NvmlDevice* device_ = nullptr;
};

}  // namespace

std::unique_ptr<EnergyCounter> make_nvml_energy(int cuda_device) {
  return std::make_unique<NvmlEnergy>(cuda_device);
}

}  // namespace gantry
