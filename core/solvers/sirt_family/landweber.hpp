#pragma once

#include "core/base/params.hpp"
#include "core/solvers/solver.hpp"

#include <memory>
#include <vector>

namespace gantry {

/// Landweber's iteration (Amer. J. Math. 73 (1951) 615): gradient descent on 1/2 ||A x - b||^2,
///   x <- x + (lambda / ||A||^2) A^T (b - A x),   0 < lambda < 2,
/// with ||A||^2 from a power iteration.
inline constexpr SolverTraits landweber_traits{.needs_exact_pair = true,
                                               .objective_takes_residual = true,
                                               .has_relaxation = true,
                                               .family = SolverFamily::simultaneous};
std::vector<ParamSpec> landweber_params();
std::unique_ptr<Solver> make_landweber(const Params& params);

}  // namespace gantry
