// Joseph's weights (joseph_trace.hpp). Where detector columns stand upright, the products go slice
// by slice (interval.hpp); else ray by ray.
#include "core/projectors/joseph.hpp"

#include "core/projectors/interval.hpp"
#include "core/projectors/joseph_trace.hpp"
#include "core/projectors/traced.hpp"

namespace gantry {

std::unique_ptr<Projector> make_joseph(Backend& backend,
                                       std::shared_ptr<const ScanGeometry> geometry,
                                       const VolumeGrid& grid, const Params&) {
  return make_interval_projector<TracedProjector<JosephTrace>, TracedRows<JosephTrace>>(
      backend, std::move(geometry), grid, Footprint::interpolated);
}

}  // namespace gantry
