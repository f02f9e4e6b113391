#include "core/projector_choice.hpp"

#include "core/base/error.hpp"

namespace gantry {

std::string projectors_that(const Catalog& catalog, const std::string& backend_key,
                            Backend& backend, const std::shared_ptr<const ScanGeometry>& geometry,
                            const VolumeGrid& grid,
                            const std::function<bool(const Projector&)>& suits) {
  std::string keys;
  for (const auto* entry : catalog.projectors.on(backend_key)) try {
      const auto projector =
          catalog.projectors.make(entry->key, backend_key, backend, geometry, grid, {});
      if (suits(*projector)) keys += (keys.empty() ? "" : ", ") + entry->key;
    } catch (const Error&) {
      // Not for this scan.
    }
  return keys;
}

}  // namespace gantry
