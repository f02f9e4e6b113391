#include "gpu/projectors/distance_driven.hpp"

#include "gpu/projectors/distance_driven_3d.hpp"

namespace gantry {

std::unique_ptr<Projector> make_cuda_distance_driven(Backend& backend,
                                                     std::shared_ptr<const ScanGeometry> geometry,
                                                     const VolumeGrid& grid, const Params&) {
  require_turning(*geometry, "the distance-driven projector");
  return make_cuda_dd_3d(backend, std::move(geometry), grid);
}

}  // namespace gantry
