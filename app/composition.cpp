#include "app/composition.hpp"

#include "core/backend/cpu_backend.hpp"
#include "gpu/catalog_gpu.hpp"

#include <utility>

namespace gantry {

void Program::find_devices() {
  if (add_devices) std::exchange(add_devices, nullptr)(catalog, backends);
}

Program compose() {
  Program program;
  add_core(program.catalog);
  // The CPU is the first in the list, since it is always available.
  program.backends.add("cpu", std::make_unique<CpuBackend>());
  program.add_devices = add_gpu;
  return program;
}

}  // namespace gantry
