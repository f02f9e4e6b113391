// Joseph's weights (joseph_trace.hpp). For upright detector columns the products are computed layer
// by layer (siddon_joseph.hpp), else ray by ray.
#include "core/projectors/siddon_joseph/joseph.hpp"

#include "core/projectors/siddon_joseph/joseph_trace.hpp"
#include "core/projectors/siddon_joseph/siddon_joseph.hpp"
#include "core/projectors/siddon_joseph/traced.hpp"

namespace gantry {

std::unique_ptr<Projector> make_joseph(Backend& backend,
                                       std::shared_ptr<const ScanGeometry> geometry,
                                       const VolumeGrid& grid, const Params&) {
  return make_siddon_joseph<TracedProjector<JosephTrace>, TracedRows<JosephTrace>>(
      backend, std::move(geometry), grid, RayWeighting::interpolated);
}

ProductMemory joseph_memory(const ScanGeometry& geometry, const VolumeGrid& grid, int) {
  return siddon_joseph_memory(geometry, grid, RayWeighting::interpolated);
}

}  // namespace gantry
