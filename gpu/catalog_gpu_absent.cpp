#include "gpu/catalog_gpu.hpp"

namespace gantry {

void add_gpu(Catalog&, BackendList& backends) {
  backends.add_unavailable("cuda", "CUDA", "this program was built without CUDA");
}

}  // namespace gantry
