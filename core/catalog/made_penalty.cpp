#include "core/catalog/made_penalty.hpp"

#include "core/base/named_value.hpp"

namespace gantry {

MadePenalty make_penalty(const Catalog& catalog, const std::string& key,
                         const std::string& backend_key, Backend& backend, const VolumeGrid& grid,
                         const Params& params) {
  if (key.empty()) return {};
  const auto& entry = catalog.priors.at(key, backend_key);
  const Params resolved = resolve_params(params, entry.params_on(backend_key), key);
  MadePenalty made{entry.maker(backend_key)->make(backend, grid, resolved), {}};
  made.penalty = {.prior = made.prior.get(),
                  .weight = resolved.real("weight"),
                  .scale = named_value<PenaltyScale>(resolved.text("scale"),
                                                     {{"relative", PenaltyScale::relative},
                                                      {"absolute", PenaltyScale::absolute},
                                                      {"automatic", PenaltyScale::automatic}}),
                  .sharpness = resolved.real("sharpness")};
  return made;
}

}  // namespace gantry
