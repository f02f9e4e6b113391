#pragma once

#include "core/catalog/catalog.hpp"

#include <functional>
#include <string>

namespace gantry {

/// Returns "distance_driven, siddon": the projectors of a backend that support the scan and satisfy
/// `suits`, without those kept for studies; empty if there are none. For messages that say what to
/// use instead.
std::string projectors_that(const Catalog& catalog, const std::string& backend_key,
                            const ScanGeometry& geometry,
                            const std::function<bool(const ProjectorTraits&)>& suits);

/// Returns the projector for a new run: `preferred` if it supports the scan, else the first one of
/// the backend that does, without those kept for studies; `preferred` if there is none.
std::string suitable_projector(const Catalog& catalog, const std::string& backend_key,
                               const ScanGeometry& geometry, const std::string& preferred);

/// Whether a matrix can be made of a projector's single weights.
bool has_matrix(const ProjectorTraits& traits);
/// Throws UsageError if no matrix can be made of the single weights of the projector `key`; the
/// message names projectors of the backend for which that is possible.
void require_matrix(const Catalog& catalog, const std::string& key, const std::string& backend_key,
                    const ScanGeometry& geometry);

}  // namespace gantry
