// One line per CUDA variant of an algorithm.
#include "gpu/catalog_gpu.hpp"

#include "core/base/error.hpp"
#include "gpu/base/cuda_backend.hpp"
#include "gpu/base/devices.hpp"

namespace gantry {

namespace {

// An algorithm is a line; key, label and parameters are those of its twin on the CPU.
// clang-format off
void add_algorithms(Catalog&) {
}
// clang-format on

}  // namespace

void add_gpu(Catalog& catalog, BackendList& backends) {
  const CudaDevices found = find_cuda_devices();
  std::string name = "CUDA";
  try {
    if (!found.devices.empty()) name = found.devices.front().name;
    backends.add("cuda", std::make_unique<CudaBackend>(choose_cuda_device(found)));
    add_algorithms(catalog);
  } catch (const Error& error) {
    backends.add_unavailable("cuda", name, found.problem.empty() ? error.what() : found.problem);
  }
}

}  // namespace gantry
