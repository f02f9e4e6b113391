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
  program.backends.add("cpu", std::make_unique<CpuBackend>());  // first: what can always be had
  program.add_devices = add_gpu;
  return program;
}

}  // namespace gantry
