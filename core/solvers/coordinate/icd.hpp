#pragma once

#include "core/base/params.hpp"
#include "core/solvers/direct/filtered_backprojection.hpp"
#include "core/solvers/solver.hpp"

#include <memory>
#include <vector>

namespace gantry {

/// Iterative coordinate descent (Sauer and Bouman, IEEE Trans. Signal Process. 41 (1993) 534) for
///   Phi(x) = 1/2 sum w_i (b - A x)_i^2 + lambda R(x),   x >= low,
/// with any prior that has a gradient. The voxels are divided into colours, lattices of a common
/// stride. The voxels of a colour S are changed together, and then r = b - A x is corrected:
///   x_j <- max(x_j + (sum_i a_ij w_i r_i - lambda dR/dx_j) / (c_j + lambda h_j), low),  j in S
/// with h_j the curvature of the prior's parabola at voxel j alone. The choices of c_j are
///   bound:   sum_i w_i a_ij sum_{k in S} a_ik, which bounds the curvature for changes of all
///   voxels
///            of the colour (Fessler, Ficaro, Clinthorne and Lange, IEEE Trans. Med. Imaging 16
///            (1997) 166, grouped coordinate ascent): Phi does not increase in any colour;
///   newton:  sum_i w_i a_ij^2, the curvature along voxel j alone, as in one-by-one descent. Where
///            the voxels of a colour share rays, Phi may increase, and the method may diverge;
///   printed: the step gamma of Li et al. (ICS 2018, algorithm 1) instead of a quotient, gamma_t+1
///   =
///            gamma_t / (1 + d gamma_t) for iteration t, with x and A in units of a voxel.
/// A step is a colour, an iteration all colours. Needs access to columns of A (ColumnAccess) and an
/// exact pair.
inline constexpr SolverTraits icd_traits{.needs_exact_pair = true,
                                         .needs_columns = true,
                                         .uses_ray_weights = true,
                                         .reports_objective = true,
                                         .has_relaxation = true,
                                         .through_subsets = true,
                                         .prior = PriorUse::gradient,
                                         .usual_prior = "qggmrf",
                                         .family = SolverFamily::row_and_column};
std::vector<ParamSpec> icd_params();
std::unique_ptr<Solver> make_icd(const Params& params);

/// Makes the method with the filtered backprojection of another device.
std::unique_ptr<Solver> make_icd_with(const Params& params, FilteredSumMaker make_sum);

}  // namespace gantry
