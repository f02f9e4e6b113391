#pragma once

#include "core/base/params.hpp"
#include "core/solvers/sirt_family/simultaneous_update.hpp"

#include <memory>
#include <vector>

namespace gantry {

// Methods that project onto the hyperplanes <a_i, x> = b_i of all rays at once and average: with
// n_j the number of rays that hit voxel j and M the number of rays,
//   Cimmino  D = lambda / M,          R = diag(1 / ||a_i||^2)
//            (Cimmino, La Ricerca Scientifica XVI.1 (1938) 326; eq. 9 of cuART, "parallel ART")
//   CAV      D = lambda,              R = diag(1 / sum_j n_j a_ij^2)
//            (Censor, Gordon and Gordon, Parallel Computing 27 (2001) 777)
//   DROP     D = lambda diag(1/n_j),  R = diag(1 / ||a_i||^2)
//            (Censor, Elfving, Herman and Nikazad, SIAM J. Sci. Comput. 30 (2008) 473)
// CAV and DROP converge for 0 < lambda < 2 whatever A. Cimmino does for 0 < lambda < 2 M / s with s
// the largest eigenvalue of A^T R A, some hundreds for a scan: far more than the 1 in print. On any
// backend; norms and counts are computed on the host.

/// What Cimmino, CAV and DROP need.
inline constexpr SolverTraits cimmino_traits{
    .needs_exact_pair = true, .needs_row_norms = true, .has_relaxation = true};

std::vector<ParamSpec> cimmino_params();
std::unique_ptr<Solver> make_cimmino(const Params& params);
/// With R = diag(row): lambda is `relaxation`, or that many M/s where it is not `as_printed`.
SimultaneousUpdate::Scaling averaged_projections(const LinearOperator& A, Array row,
                                                 double relaxation, bool as_printed);
/// lambda as in print, and not held below its bound.
SimultaneousUpdate::Scaling cimmino_scaling(const LinearOperator& A, double lambda);

std::vector<ParamSpec> cav_params();
std::unique_ptr<Solver> make_cav(const Params& params);

std::vector<ParamSpec> drop_params();
std::unique_ptr<Solver> make_drop(const Params& params);

}  // namespace gantry
