#include "core/catalog/projector_choice.hpp"

#include "core/base/error.hpp"

namespace gantry {

std::string projectors_that(const Catalog& catalog, const std::string& backend_key,
                            const ScanGeometry& geometry,
                            const std::function<bool(const ProjectorTraits&)>& suits) {
  return catalog.projectors.keys_that([&](const auto& entry) {
    if (!entry.runs_on(backend_key) || entry.is_for_studies()) return false;
    const ProjectorTraits& traits = entry.traits_on(backend_key);
    return traits.scans.include(geometry) && suits(traits);
  });
}

std::string suitable_projector(const Catalog& catalog, const std::string& backend_key,
                               const ScanGeometry& geometry, const std::string& preferred) {
  const auto suits = [&](const auto& entry) {
    return entry.runs_on(backend_key) && entry.traits_on(backend_key).scans.include(geometry);
  };
  if (suits(catalog.projectors.at(preferred, backend_key))) return preferred;
  for (const auto& entry : catalog.projectors.entries())
    if (!entry.is_for_studies() && suits(entry)) return entry.key;
  return preferred;
}

bool has_matrix(const ProjectorTraits& traits) {
  return traits.is_exact_pair && traits.has_single_weights;
}

void require_matrix(const Catalog& catalog, const std::string& key, const std::string& backend_key,
                    const ScanGeometry& geometry) {
  const ProjectorTraits& traits = catalog.projectors.at(key, backend_key).traits_on(backend_key);
  if (has_matrix(traits)) return;
  throw UsageError(
      traits.has_single_weights
          ? "this projector's backprojection is not the transpose of its forward product, so that "
            "no matrix describes both"
          : "this projector does not provide single weights, which a matrix is built from",
      "projector", "use one of " + projectors_that(catalog, backend_key, geometry, has_matrix));
}

}  // namespace gantry
