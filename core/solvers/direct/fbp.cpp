#include "core/solvers/direct/fbp.hpp"

#include "core/base/error.hpp"

#include <utility>

namespace gantry {

namespace {

void require_suitable(const ScanGeometry& geometry) {
  if (geometry.beam() == Beam::cone)
    throw UsageError("fbp works in the plane: it does not cover cone beams", "solver",
                     "use fdk, or an iterative solver such as sirt or cgls");
  if (geometry.spec().trajectory != Trajectory::circular)
    throw UsageError("fbp needs a circular scan", "solver",
                     "use an iterative solver such as sirt or cgls");
}

}  // namespace

std::vector<ParamSpec> fbp_params() { return filtered_backprojection_params(); }

std::unique_ptr<Solver> make_fbp_with(const Params& params, FilteredSumMaker make_sum) {
  refuse_extrapolation(params, "fbp");
  return make_filtered_backprojection(fbp_traits, params, require_suitable,
                                      refusing_poses(std::move(make_sum), "fbp"));
}

std::unique_ptr<Solver> make_fbp(const Params& params) {
  return make_filtered_backprojection(fbp_traits, params, require_suitable, make_cpu_filtered_sum);
}

}  // namespace gantry
