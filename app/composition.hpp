#pragma once

#include "core/backend/backend_list.hpp"
#include "core/catalog/catalog.hpp"

#include <functional>

namespace gantry {

/// What both programs consist of: all algorithms and all devices.
struct Program {
  Catalog catalog;
  BackendList backends;
  /// Adds the devices of this computer with their algorithms; empty after find_devices(). Loads the
  /// driver of the devices but starts none of them.
  std::function<void(Catalog&, BackendList&)> add_devices;

  /// Adds the devices at the first call. To be called before something computes on a device or
  /// lists the devices.
  void find_devices();
};

/// Returns the program with the CPU only; find_devices() adds the devices.
Program compose();

}  // namespace gantry
