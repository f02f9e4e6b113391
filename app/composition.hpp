#pragma once

#include "core/backend/backend_list.hpp"
#include "core/catalog/catalog.hpp"

#include <functional>

namespace gantry {

/// What both programs are made of: every algorithm and every device.
struct Program {
  Catalog catalog;
  BackendList backends;
  /// Looks for devices and adds them with their algorithms; none once that was done. To look loads
  /// their driver, and starts none of them.
  std::function<void(Catalog&, BackendList&)> add_devices;

  /// Does so when first called: for what may compute on a device, or tells of devices.
  void find_devices();
};

/// With the CPU; devices are to be found (Program::find_devices).
Program compose();

}  // namespace gantry
