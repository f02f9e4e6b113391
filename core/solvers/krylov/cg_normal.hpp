#pragma once

#include "core/base/params.hpp"
#include "core/solvers/solver.hpp"

#include <memory>
#include <vector>

namespace gantry {

/// Conjugate gradients on A^T A x = A^T b in the form of Nourazar and Goossens (2021), Algorithm 1:
///   r = A^T b, p = r, phi = <r, r>;
///   q = A^T (A p), a = phi / <p, q>, x += a p, r -= a q, p = r + <r, r> / phi p
/// In exact arithmetic these are the iterates of CGLS. All vectors but A p are images, which saves
/// memory if there are more rays than voxels. But r is known by recurrence alone, and <p, q> in
/// place of ||A p||^2 squares the condition number of the rounding errors, so that CGLS reaches
/// smaller residuals (Bjorck 1996, 7.4.1): prefer CGLS. This method exists for comparison with the
/// paper. Needs an exact pair.
inline constexpr SolverTraits cg_normal_traits{
    .needs_exact_pair = true, .objective_takes_residual = true, .family = SolverFamily::krylov};
std::vector<ParamSpec> cg_normal_params();
std::unique_ptr<Solver> make_cg_normal(const Params& params);

}  // namespace gantry
