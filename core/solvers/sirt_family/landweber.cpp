#include "core/solvers/sirt_family/landweber.hpp"

#include "core/solvers/common_params.hpp"
#include "core/solvers/power_iteration.hpp"
#include "core/solvers/sirt_family/simultaneous_update.hpp"

namespace gantry {

std::vector<ParamSpec> landweber_params() {
  return {simultaneous_relaxation_param(
              "Step in units of 1/‖A‖², which a power iteration finds at the start."),
          nonnegative_param()};
}

std::unique_ptr<Solver> make_landweber(const Params& params) {
  const double lambda = params.real("relaxation");
  SimultaneousUpdate::Method method;
  method.traits = landweber_traits;
  method.weights_rays = false;
  method.scaling = {3, 1};
  method.nonnegative = params.flag("nonnegative");
  method.scale = [lambda](const LinearOperator& A) {
    const double norm_square = operator_norm_square(A);
    const double unit = norm_square > 0 ? 1 / norm_square : 0;  // no ray hits: no correction
    return SimultaneousUpdate::Scaling{
        Array::filled(A.backend(), A.domain_size(), static_cast<float>(lambda * unit)),
        Array(),
        {lambda * unit, 2 * unit, "1/mm²", "2/‖A‖²"}};
  };
  return std::make_unique<SimultaneousUpdate>(std::move(method));
}

}  // namespace gantry
