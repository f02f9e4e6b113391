#pragma once

#include "core/base/params.hpp"
#include "core/solvers/solver.hpp"

#include <memory>
#include <vector>

namespace gantry {

/// Reconstruction of an object of one homogeneous material in air from few views or a limited
/// angle:
///   minimise 1/2 ||A x - p||^2_W + lambda R(x) + m sum_j x_j (c - x_j)  over 0 <= x <= c
/// with p the line integrals, corrected for the beam hardening of the one material, and c its
/// attenuation, both found from the data (one_material.hpp). The concave two-level term draws every
/// voxel to 0 or c (Schuele, Schnoerr, Weber and Hornegger, Discrete Appl. Math. 151 (2005) 229). m
/// grows from 0, so that the image follows the minimum from a convex problem on, where it is
/// unique. R is total variation (Rudin, Osher and Fatemi 1992); each m is minimised by the method
/// of Chambolle and Pock (primal_dual.hpp).
///
/// Weights of rays count in this minimum, not in the search for the material. Unless the prior's
/// weight is absolute, they are divided by their median, so that lambda, which follows from the
/// median noise of the data, keeps its meaning.
///
/// Without a prior, or with weight 0, it is least squares with x >= 0. The reported residuals are
/// those of the measured data, which beam hardening keeps from becoming small. The reported
/// objective is the one above with m at its full size; it may rise while m is smaller.
inline constexpr SolverTraits homogeneous_traits{.needs_exact_pair = true,
                                                 .uses_ray_weights = true,
                                                 .reports_objective = true,
                                                 .prior = PriorUse::proximal,
                                                 .usual_prior = "tv",
                                                 .family = SolverFamily::regularised};
std::vector<ParamSpec> homogeneous_params();
std::unique_ptr<Solver> make_homogeneous(const Params& params);

}  // namespace gantry
