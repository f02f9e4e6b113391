// One line per CUDA variant of an algorithm.
#include "gpu/catalog_gpu.hpp"

#include "core/base/error.hpp"
#include "core/solvers/fbp.hpp"
#include "core/solvers/fdk.hpp"
#include "gpu/base/cuda_backend.hpp"
#include "gpu/base/devices.hpp"
#include "gpu/solvers/filtered_backprojection.hpp"

namespace gantry {

namespace {

// An algorithm is a line; key, label and parameters are those of its twin on the CPU.
// clang-format off
void add_algorithms(Catalog& catalog) {
  auto& solvers = catalog.solvers;
  solvers.add({"fbp", "cuda", "FBP", "Ramp filter, then backprojection: f = Σ s_v Q_v; one step. Parallel and fan beams, short scans with Parker's weights. Kak and Slaney 1988.", fbp_params(), make_cuda_fbp});
  solvers.add({"fdk", "cuda", "FDK", "FBP for a cone beam on a circle: f = Σ s_v Q_v / U²; one step. Short scans with Parker's weights. Feldkamp, Davis and Kress 1984.", fdk_params(), make_cuda_fdk});
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
