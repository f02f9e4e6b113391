#include "gpu/projectors/siddon_joseph/siddon.hpp"

#include "core/projectors/siddon_joseph/siddon_trace.hpp"
#include "core/projectors/siddon_joseph/traced.hpp"
#include "gpu/projectors/siddon_joseph/siddon_joseph.hpp"

namespace gantry {

std::unique_ptr<Projector> make_cuda_siddon(Backend& backend,
                                            std::shared_ptr<const ScanGeometry> geometry,
                                            const VolumeGrid& grid, const Params&) {
  auto rows = std::make_unique<TracedRows<SiddonTrace>>(geometry, grid);
  return make_cuda_ray_projector(backend, std::move(geometry), grid, device::RayWeighting::crossing,
                                 std::move(rows));
}

ProductMemory cuda_siddon_memory(const ScanGeometry& geometry, const VolumeGrid& grid, int) {
  return ray_projector_memory(geometry, grid, device::RayWeighting::crossing);
}

}  // namespace gantry
