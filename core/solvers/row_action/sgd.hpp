#pragma once

#include "core/base/params.hpp"
#include "core/operator/row_access.hpp"
#include "core/solvers/solver.hpp"

#include <memory>
#include <vector>

namespace gantry {

/// Stochastic gradient descent, ray after ray (Li et al., cuMBIR, Proc. ICS 2018, algorithm 1, with
/// the sign of its line 10 corrected), for
///   Phi(x) = 1/2 sum w_i (b_i - <a_i, x>)^2 + lambda R(x),   x >= low:
///   x_j <- max(x_j + gamma_i w_i (b_i - <a_i, x>) a_ij - gamma lambda g_j / n_j, low)
/// for all j with a_ij > 0, with g = grad R(x) and n_j the number of rays that weigh voxel j, so
/// that a pass over all rays applies the gradient of R once. g is computed anew before each batch
/// of rays. The rates are
///   normalised: gamma_i = r / (W ||a_i||^2), which without weights and prior is ART, and
///               gamma = r / (W mean ||a_i||^2), with W the median of the weights below 0.95 of
///               the largest one, those of rays through the object (1 if there are none). Weights
///               above W count as W, so that no step overshoots. Ray i counts in Phi by
///               gamma_i / gamma, more the shorter it is;
///   printed:    gamma_i = gamma = gamma_t, gamma_t+1 = gamma_t / (1 + d gamma_t) for iteration t
///               (equation 4), with x and A in units of a voxel.
/// A step is a batch of rays, an iteration all rays. With a constant rate the method ends near the
/// minimum, the nearer the smaller the rate is.
inline constexpr SolverTraits sgd_traits{.needs_rows = true,
                                         .uses_ray_weights = true,
                                         .objective_takes_residual = true,
                                         .has_relaxation = true,
                                         .through_subsets = true,
                                         .prior = PriorUse::gradient,
                                         .usual_prior = "mumford_shah",
                                         .family = SolverFamily::row_and_column};
std::vector<ParamSpec> sgd_params();
std::unique_ptr<Solver> make_sgd(const Params& params);

}  // namespace gantry
