#pragma once

#include "core/base/params.hpp"
#include "core/solvers/solver.hpp"

#include <memory>
#include <vector>

namespace gantry {

/// Weighted least squares with any prior that has a proximal map, by the fast proximal gradient
/// method over ordered subsets (OS with momentum, Kim, Ramani and Fessler, IEEE Trans. Med. Imaging
/// 34 (2015) 167, section III, with a proximal map instead of a gradient of the prior):
///   minimise F(x) = 1/2 ||A x - b||^2_W + lambda R(x), optionally with x >= 0
/// for the subsets s of the views, one after another:
///   x' = prox_{lambda R / L}(y - M A_s^T W (A_s y - b_s) / L),   t' = (1 + sqrt(1 + 4 t^2)) / 2
///   y' = x' + ((t - 1) / t') (x' - x)
/// M A_s^T W A_s stands for A^T W A: an iteration of M subsets costs one product with A and one
/// with A^T, and advances about as far as M iterations of FISTA. L is M times the largest
/// eigenvalue of A_s^T W A_s for the first subset, which bounds that of A^T W A where all subsets
/// have the same. With one subset this is FISTA without its monotone rule. With more subsets, x
/// ends in a neighbourhood of the minimum, which grows with their number.
inline constexpr SolverTraits os_fista_traits{.needs_exact_pair = true,
                                              .uses_ray_weights = true,
                                              .objective_takes_residual = true,
                                              .through_subsets = true,
                                              .prior = PriorUse::proximal,
                                              .usual_prior = "tv",
                                              .family = SolverFamily::regularised};
std::vector<ParamSpec> os_fista_params();
std::unique_ptr<Solver> make_os_fista(const Params& params);

}  // namespace gantry
