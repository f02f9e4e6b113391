// Siddon's weights: the lengths inside the voxels of the ray through the cell's centre. For upright
// detector columns the products are computed layer by layer (siddon_joseph.hpp), else ray by ray.
#include "core/projectors/siddon_joseph/siddon.hpp"

#include "core/projectors/siddon_joseph/siddon_joseph.hpp"
#include "core/projectors/siddon_joseph/traced.hpp"

namespace gantry {

std::unique_ptr<Projector> make_siddon(Backend& backend,
                                       std::shared_ptr<const ScanGeometry> geometry,
                                       const VolumeGrid& grid, const Params&) {
  return make_siddon_joseph<TracedProjector<SiddonTrace>, TracedRows<SiddonTrace>>(
      backend, std::move(geometry), grid, RayWeighting::crossing);
}

ProductMemory siddon_memory(const ScanGeometry& geometry, const VolumeGrid& grid, int) {
  return siddon_joseph_memory(geometry, grid, RayWeighting::crossing);
}

}  // namespace gantry
