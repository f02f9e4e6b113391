#include "core/matrix/nonzero_estimates.hpp"

namespace gantry {

namespace {

constexpr std::size_t most_kept = 16;

}  // namespace

NonzeroEstimate NonzeroEstimates::of(const Projector& weights, const std::string& projector,
                                     const Params& params) {
  for (const Made& made : made_)
    if (made.projector == projector && made.params == params && made.grid == weights.grid() &&
        made.scan == weights.geometry().spec())
      return made.estimate;
  made_.push_back(
      {weights.geometry().spec(), weights.grid(), projector, params, estimate_nonzeros(weights)});
  if (made_.size() > most_kept) made_.pop_front();
  return made_.back().estimate;
}

}  // namespace gantry
