#include "app/composition.hpp"

#include "core/backend/cpu_backend.hpp"
#include "gpu/catalog_gpu.hpp"

namespace gantry {

Program compose() {
  Program program;
  add_core(program.catalog);
  program.backends.add("cpu", std::make_unique<CpuBackend>());  // first: what can always be had
  add_gpu(program.catalog, program.backends);
  return program;
}

}  // namespace gantry
