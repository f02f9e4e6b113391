#include "gpu/projectors/siddon_joseph/trace_steps.hpp"

#include "core/base/error.hpp"
#include "core/operator/row_access.hpp"
#include "core/operator/row_source.hpp"
#include "gpu/projectors/siddon_joseph/trace_tables.hpp"

#include <string_view>

namespace gantry {

namespace {

constexpr std::string_view siddon = "siddon", joseph = "joseph";

std::string_view weights_of(const Projector& projector) {
  return projector.row_source() == nullptr ? std::string_view()
                                           : projector.row_source()->weights_name();
}

template <device::RayWeighting weights>
class LayerSteps final : public RaySteps {
 public:
  explicit LayerSteps(const Projector& projector)
      : RaySteps(projector), tables_(projector.geometry(), projector.grid()) {}

  void append(std::span<const std::uint32_t> rays, std::vector<Access>& accesses) const override {
    const device::TraceWeights<weights> model{tables_.scan};
    for (const std::uint32_t ray : rays)
      if (ray != no_ray)
        model.visit_steps(ray, 0, 1, [&](int step, std::size_t voxel, float) {
          accesses.push_back({static_cast<std::uint32_t>(step), static_cast<std::uint32_t>(voxel)});
        });
  }

 private:
  TraceTables tables_;
};

}  // namespace

bool has_layer_steps(const Projector& projector) {
  const std::string_view weights = weights_of(projector);
  return weights == siddon || weights == joseph;
}

std::unique_ptr<RaySteps> make_ray_steps(const Projector& projector, StepAlignment alignment) {
  if (alignment == StepAlignment::walk) return std::make_unique<WalkSteps>(projector);
  if (!has_layer_steps(projector))
    throw UsageError("rays are traced layer by layer with the weights of Siddon or Joseph alone",
                     "projector", "use siddon or joseph");
  if (weights_of(projector) == siddon)
    return std::make_unique<LayerSteps<device::RayWeighting::crossing>>(projector);
  return std::make_unique<LayerSteps<device::RayWeighting::interpolated>>(projector);
}

}  // namespace gantry
