#pragma once

#include "core/base/params.hpp"
#include "core/solvers/solver.hpp"

#include <memory>
#include <vector>

namespace gantry {

/// Least squares with any prior that has a proximal map, by the monotone fast proximal gradient
/// method (MFISTA, Beck and Teboulle, IEEE Trans. Image Process. 18 (2009) 2419, section 5):
///   minimise F(x) = 1/2 ||A x - b||^2 + lambda R(x), optionally with x >= 0
///   z  = prox_{lambda R / L}(y - A^T (A y - b) / L),   L >= ||A||^2
///   x' = z if F(z) <= F(x), else x,   t' = (1 + sqrt(1 + 4 t^2)) / 2
///   y' = x' + (t / t') (z - x') + ((t - 1) / t') (x' - x)
/// A y is a linear combination of earlier products A z, so that a step costs one product with A and
/// one with A^T, as plain least squares does. F never increases. L comes from a power iteration. A
/// step that is rejected (x' = x) reports the change that it tried.
inline constexpr SolverTraits fista_traits{.needs_exact_pair = true,
                                           .reports_objective = true,
                                           .prior = PriorUse::proximal,
                                           .usual_prior = "tv",
                                           .family = SolverFamily::regularised};
std::vector<ParamSpec> fista_params();
std::unique_ptr<Solver> make_fista(const Params& params);

}  // namespace gantry
