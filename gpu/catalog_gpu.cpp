#include "gpu/catalog_gpu.hpp"

#include "gpu/base/devices.hpp"

namespace gantry {

void add_gpu(Catalog&, BackendList& backends) {
  const CudaDevices found = find_cuda_devices();
  if (found.devices.empty())
    backends.add_unavailable("cuda", "CUDA", found.problem);
  else
    backends.add_unavailable("cuda", found.devices.front().name,
                             "this version computes on the CPU only");
}

}  // namespace gantry
