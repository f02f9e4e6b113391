#pragma once

#include "core/base/params.hpp"
#include "core/solvers/sirt_family/simultaneous_update.hpp"

#include <memory>
#include <vector>

namespace gantry {

// Methods that project x onto the hyperplanes <a_i, x> = b_i of all rays and average the results,
// with n_j the number of rays that hit voxel j and M the number of rays:
//   Cimmino  D = lambda / M,          R = diag(1 / ||a_i||^2)
//            (Cimmino, La Ricerca Scientifica XVI.1 (1938) 326; eq. 9 of cuART, "parallel ART")
//   CAV      D = lambda,              R = diag(1 / sum_j n_j a_ij^2)
//            (Censor, Gordon and Gordon, Parallel Computing 27 (2001) 777)
//   DROP     D = lambda diag(1/n_j),  R = diag(1 / ||a_i||^2)
//            (Censor, Elfving, Herman and Nikazad, SIAM J. Sci. Comput. 30 (2008) 473)
// CAV and DROP converge for 0 < lambda < 2 with any A. Cimmino converges for 0 < lambda < 2 M / s
// with s the largest eigenvalue of A^T R A; for scans this is some hundreds, far above the 1 of the
// paper. Works on any backend; norms and counts are computed on the host.

/// Traits of Cimmino, CAV and DROP.
inline constexpr SolverTraits cimmino_traits{.needs_exact_pair = true,
                                             .needs_row_norms = true,
                                             .has_relaxation = true,
                                             .family = SolverFamily::simultaneous};

std::vector<ParamSpec> cimmino_params();
std::unique_ptr<Solver> make_cimmino(const Params& params);
/// Returns the scaling with R = diag(row). If `as_printed`, lambda is `relaxation`, else
/// `relaxation` times M/s.
SimultaneousUpdate::Scaling averaged_projections(const LinearOperator& A, Array row,
                                                 double relaxation, bool as_printed);
/// Returns the scaling with lambda as in the paper, not limited to the range in which it converges.
SimultaneousUpdate::Scaling cimmino_scaling(const LinearOperator& A, double lambda);

std::vector<ParamSpec> cav_params();
std::unique_ptr<Solver> make_cav(const Params& params);

std::vector<ParamSpec> drop_params();
std::unique_ptr<Solver> make_drop(const Params& params);

}  // namespace gantry
