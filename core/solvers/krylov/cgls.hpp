#pragma once

#include "core/base/params.hpp"
#include "core/solvers/solver.hpp"

#include <memory>
#include <vector>

namespace gantry {

/// Conjugate gradients on the normal equations: minimises ||A x - b||^2 + mu ||x||^2 (Hestenes and
/// Stiefel, J. Res. NBS 49 (1952) 409; Bjorck 1996, algorithm 7.4.1), which is least squares for
/// the matrix [A; sqrt(mu) I] and the data [b; 0]. Only the upper part of that residual is stored;
/// the lower one is -sqrt(mu) x. With weights W of the rays, ||b - A x||^2 becomes sum w_i (b - A
/// x)_i^2 and A^T becomes A^T W. The functional decreases at every step. Needs an exact pair.
inline constexpr SolverTraits cgls_traits{.needs_exact_pair = true,
                                          .uses_ray_weights = true,
                                          .reports_objective = true,
                                          .family = SolverFamily::krylov};
std::vector<ParamSpec> cgls_params();
std::unique_ptr<Solver> make_cgls(const Params& params);

}  // namespace gantry
