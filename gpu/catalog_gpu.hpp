#pragma once

#include "core/backend/backend_list.hpp"
#include "core/catalog/catalog.hpp"

namespace gantry {

/// Adds the CUDA backend and its variants of the algorithms, or the reason why there are none.
void add_gpu(Catalog& catalog, BackendList& backends);

}  // namespace gantry
