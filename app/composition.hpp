#pragma once

#include "core/backend/backend_list.hpp"
#include "core/catalog.hpp"

namespace gantry {

/// What both programs are made of: every algorithm and every device.
struct Program {
  Catalog catalog;
  BackendList backends;
};

Program compose();

}  // namespace gantry
