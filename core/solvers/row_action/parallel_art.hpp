#pragma once

#include "core/base/params.hpp"
#include "core/operator/row_norms.hpp"
#include "core/solvers/solver.hpp"

#include <memory>
#include <vector>

namespace gantry {

/// The parallel ART of cuART (Yu et al., J. Signal Process. Syst. 91 (2019) 321, eq. 9):
///   x <- max(x + A_s^T C_s (b_s - A_s x), low),   c_i = lambda / (M ||a_i||^2)
/// where s are all rays and M their number (global level; Cimmino's formula), or the rays of one
/// view after another and M the number of rays of a view (view level). It converges for 0 < lambda
/// < 2 M / s', with s' the largest eigenvalue of A_s^T diag(1 / ||a_i||^2) A_s. For scans this
/// bound is some hundreds, and lambda = 1 as in the paper changes x very little per iteration.
/// Works on any backend; the norms of the rows are computed on the host, or by `norms`.
inline constexpr SolverTraits parallel_art_traits{.needs_exact_pair = true,
                                                  .needs_row_norms = true,
                                                  .has_relaxation = true,
                                                  .through_subsets = true,
                                                  .family = SolverFamily::row_and_column};
std::vector<ParamSpec> parallel_art_params();
std::unique_ptr<Solver> make_parallel_art(const Params& params);
std::unique_ptr<Solver> make_parallel_art_with(const Params& params, RowNormMaker norms);

}  // namespace gantry
