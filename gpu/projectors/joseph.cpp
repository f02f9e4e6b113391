#include "gpu/projectors/joseph.hpp"

#include "core/projectors/joseph_trace.hpp"
#include "core/projectors/traced.hpp"
#include "gpu/projectors/interval.hpp"

namespace gantry {

std::unique_ptr<Projector> make_cuda_joseph(Backend& backend,
                                            std::shared_ptr<const ScanGeometry> geometry,
                                            const VolumeGrid& grid, const Params&) {
  auto rows = std::make_unique<TracedRows<JosephTrace>>(geometry, grid);
  return make_cuda_ray_projector(backend, std::move(geometry), grid, device::Weights::interpolated,
                                 std::move(rows));
}

}  // namespace gantry
