#pragma once

#include "core/base/params.hpp"
#include "core/solvers/solver.hpp"

#include <memory>
#include <vector>

namespace gantry {

/// OS-SART with the momentum of FISTA (Beck and Teboulle, SIAM J. Imaging Sci. 2 (2009) 183), as
/// applied to clinical data by Liu et al., IEEE Trans. Comput. Imaging 3 (2017) 617, section IV:
///   x_k = a sweep through all subsets (see WeightedSubsets) from y_k,   y_1 = x_0, t_1 = 1
///   t_{k+1} = (1 + sqrt(1 + 4 t_k^2)) / 2
///   y_{k+1} = x_k + (t_k - 1) / t_{k+1} (x_k - x_{k-1})
/// With one subset this is FISTA on the weighted least squares of SIRT, which converges for lambda
/// up to 1. With more subsets each sweep changes x more, and no bound is known. The first step of a
/// sweep reports the residual of y.
inline constexpr SolverTraits fista_sart_traits{
    .has_relaxation = true, .through_subsets = true, .family = SolverFamily::simultaneous};
std::vector<ParamSpec> fista_sart_params();
std::unique_ptr<Solver> make_fista_sart(const Params& params);

}  // namespace gantry
