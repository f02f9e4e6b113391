#include "app/composition.hpp"

#include "core/backend/cpu_backend.hpp"
#include "gpu/catalog_gpu.hpp"

namespace gantry {

Program compose() {
  Program program;
  add_core(program.catalog);
  add_gpu(program.catalog, program.backends);  // first: "auto" takes the first that is available
  program.backends.add("cpu", std::make_unique<CpuBackend>());
  return program;
}

}  // namespace gantry
