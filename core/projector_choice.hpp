#pragma once

#include "core/catalog.hpp"

#include <functional>
#include <memory>
#include <string>

namespace gantry {

/// "distance_driven, siddon": the projectors of a backend that can be made for a scan and a grid
/// and that `suits` takes; empty where there are none. For messages that say what to use instead.
std::string projectors_that(const Catalog& catalog, const std::string& backend_key,
                            Backend& backend, const std::shared_ptr<const ScanGeometry>& geometry,
                            const VolumeGrid& grid,
                            const std::function<bool(const Projector&)>& suits);

}  // namespace gantry
