#include "gpu/projectors/siddon_joseph/joseph.hpp"

#include "core/projectors/siddon_joseph/joseph_trace.hpp"
#include "core/projectors/siddon_joseph/traced.hpp"
#include "gpu/projectors/siddon_joseph/siddon_joseph.hpp"

namespace gantry {

std::unique_ptr<Projector> make_cuda_joseph(Backend& backend,
                                            std::shared_ptr<const ScanGeometry> geometry,
                                            const VolumeGrid& grid, const Params&) {
  auto rows = std::make_unique<TracedRows<JosephTrace>>(geometry, grid);
  return make_cuda_ray_projector(backend, std::move(geometry), grid,
                                 device::RayWeighting::interpolated, std::move(rows));
}

ProductMemory cuda_joseph_memory(const ScanGeometry& geometry, const VolumeGrid& grid, int) {
  return ray_projector_memory(geometry, grid, device::RayWeighting::interpolated);
}

}  // namespace gantry
