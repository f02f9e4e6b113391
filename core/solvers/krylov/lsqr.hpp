#pragma once

#include "core/base/params.hpp"
#include "core/solvers/solver.hpp"

#include <memory>
#include <vector>

namespace gantry {

inline constexpr SolverTraits lsqr_traits{
    .needs_exact_pair = true, .reports_objective = true, .family = SolverFamily::krylov};

/// LSQR (Paige and Saunders, ACM Trans. Math. Softw. 8 (1982) 43, section 4): minimises
/// 1/2 ||A x - b||^2 by Golub and Kahan's bidiagonalisation of A and a QR factorisation of the
/// bidiagonal matrix that grows with it. In exact arithmetic its iterates are those of CGLS.
/// Started from x0, it minimises over the correction x - x0. Needs an exact pair; has no
/// parameters.
std::unique_ptr<Solver> make_lsqr(const Params& params);

}  // namespace gantry
