#pragma once

#include "core/base/params.hpp"
#include "core/solvers/solver.hpp"

#include <memory>
#include <vector>

namespace gantry {

/// OS-SART with the momentum of FISTA (Beck and Teboulle, SIAM J. Imaging Sci. 2 (2009) 183), as
/// Liu et al., IEEE Trans. Comput. Imaging 3 (2017) 617, section IV took it to clinical data:
///   x_k = a sweep through all subsets (see WeightedSubsets) from y_k,   y_1 = x_0, t_1 = 1
///   t_{k+1} = (1 + sqrt(1 + 4 t_k^2)) / 2
///   y_{k+1} = x_k + (t_k - 1) / t_{k+1} (x_k - x_{k-1})
/// With one subset it is FISTA on the weighted least squares of SIRT, which converges for lambda up
/// to 1; with more, each sweep goes further and no bound is known. The residual that the first step
/// of a sweep reports is that of y.
inline constexpr SolverTraits fista_sart_traits{.has_relaxation = true, .through_subsets = true};
std::vector<ParamSpec> fista_sart_params();
std::unique_ptr<Solver> make_fista_sart(const Params& params);

}  // namespace gantry
