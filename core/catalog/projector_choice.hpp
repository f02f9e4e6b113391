#pragma once

#include "core/catalog/catalog.hpp"

#include <functional>
#include <string>

namespace gantry {

/// "distance_driven, siddon": the projectors of a backend that take a scan and that `suits` takes,
/// but for those kept for studies; empty where there are none. For messages that say what to use
/// instead.
std::string projectors_that(const Catalog& catalog, const std::string& backend_key,
                            const ScanGeometry& geometry,
                            const std::function<bool(const ProjectorTraits&)>& suits);

/// Whether a matrix can be made of a projector's single weights.
bool has_matrix(const ProjectorTraits& traits);
/// Throws UsageError where no matrix can be made of the single weights of the projector `key`,
/// naming those of the backend of which one can.
void require_matrix(const Catalog& catalog, const std::string& key, const std::string& backend_key,
                    const ScanGeometry& geometry);

}  // namespace gantry
