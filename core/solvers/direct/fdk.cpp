#include "core/solvers/direct/fdk.hpp"

#include "core/base/error.hpp"

#include <utility>

namespace gantry {

namespace {

void require_suitable(const ScanGeometry& geometry) {
  if (geometry.beam() != Beam::cone)
    throw UsageError("fdk is for cone beams", "solver", "use fbp for this scan");
  if (geometry.spec().trajectory != Trajectory::circular)
    throw UsageError("fdk needs a source that moves on a circle", "solver",
                     "use an iterative solver such as sirt, os_sart or cgls");
}

}  // namespace

std::vector<ParamSpec> fdk_params() { return filtered_backprojection_params(); }

std::unique_ptr<Solver> make_fdk_with(const Params& params, FilteredSumMaker make_sum) {
  refuse_extrapolation(params, "fdk");
  return make_filtered_backprojection(fdk_traits, params, require_suitable,
                                      refusing_poses(std::move(make_sum), "fdk"));
}

std::unique_ptr<Solver> make_fdk(const Params& params) {
  return make_filtered_backprojection(fdk_traits, params, require_suitable, make_cpu_filtered_sum);
}

}  // namespace gantry
