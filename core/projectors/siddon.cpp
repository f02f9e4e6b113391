// Siddon's weights: the lengths of the ray through the cell's centre inside the voxels. Where
// detector columns stand upright, the products go slice by slice (interval.hpp); else ray by ray.
#include "core/projectors/siddon.hpp"

#include "core/projectors/interval.hpp"
#include "core/projectors/traced.hpp"

namespace gantry {

std::unique_ptr<Projector> make_siddon(Backend& backend,
                                       std::shared_ptr<const ScanGeometry> geometry,
                                       const VolumeGrid& grid, const Params&) {
  return make_interval_projector<TracedProjector<SiddonTrace>, TracedRows<SiddonTrace>>(
      backend, std::move(geometry), grid, Footprint::crossing);
}

}  // namespace gantry
