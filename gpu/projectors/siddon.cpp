#include "gpu/projectors/siddon.hpp"

#include "core/projectors/siddon_trace.hpp"
#include "core/projectors/traced.hpp"
#include "gpu/projectors/interval.hpp"

namespace gantry {

std::unique_ptr<Projector> make_cuda_siddon(Backend& backend,
                                            std::shared_ptr<const ScanGeometry> geometry,
                                            const VolumeGrid& grid, const Params&) {
  auto rows = std::make_unique<TracedRows<SiddonTrace>>(geometry, grid);
  return make_cuda_ray_projector(backend, std::move(geometry), grid, device::Weights::crossing,
                                 std::move(rows));
}

}  // namespace gantry
