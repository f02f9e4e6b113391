#include "core/mapping/ray_steps.hpp"

#include "core/mapping/ray_walks.hpp"
#include "core/operator/row_access.hpp"

namespace gantry {

RaySteps::RaySteps(const Projector& projector) : projector_(projector) { require_walks(projector); }

void WalkSteps::append(std::span<const std::uint32_t> rays, std::vector<Access>& accesses) const {
  std::vector<std::uint32_t> busy;
  for (const std::uint32_t ray : rays)
    if (ray != no_ray) busy.push_back(ray);
  const RayWalks walks = walks_of(projector(), busy);
  for (std::size_t n = 0; n < walks.size(); ++n) {
    std::uint32_t step = 0;
    for (const std::uint32_t voxel : walks.walk(n)) accesses.push_back({step++, voxel});
  }
}

}  // namespace gantry
