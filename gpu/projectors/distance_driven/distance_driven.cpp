#include "gpu/projectors/distance_driven/distance_driven.hpp"

#include "core/projectors/distance_driven/distance_driven_2d.hpp"
#include "gpu/projectors/distance_driven/cone/dd_cone_plan.hpp"
#include "gpu/projectors/distance_driven/cone/distance_driven_3d.hpp"
#include "gpu/projectors/distance_driven/fan/dd_fan_plan.hpp"
#include "gpu/projectors/distance_driven/fan/distance_driven_2d.hpp"
#include "gpu/projectors/distance_driven/weights/dd_access.hpp"

namespace gantry {

std::unique_ptr<Projector> make_cuda_distance_driven(Backend& backend,
                                                     std::shared_ptr<const ScanGeometry> geometry,
                                                     const VolumeGrid& grid, const Params&) {
  require_countable_slices(grid);
  require_turning(*geometry, "the distance-driven projector");
  if (is_planar(*geometry, grid) || is_stack(*geometry, grid))
    return make_cuda_dd_2d(backend, std::move(geometry), grid);
  return make_cuda_dd_3d(backend, std::move(geometry), grid);
}

ProductMemory cuda_distance_driven_memory(const ScanGeometry& geometry, const VolumeGrid& grid,
                                          int multiprocessors) {
  if (is_planar(geometry, grid) || is_stack(geometry, grid)) {
    const DdFanPlan plan(geometry, grid, multiprocessors);
    return {plan.bytes(), plan.step_workspace(), cuda_dd_access_bytes(geometry)};
  }
  const DdConePlan plan(geometry, grid);
  return {plan.product_bytes(), plan.step_workspace(), cuda_dd_access_bytes(geometry),
          plan.scratch_bytes()};
}

}  // namespace gantry
