#pragma once

#include "core/base/params.hpp"
#include "core/solvers/solver.hpp"

#include <memory>
#include <vector>

namespace gantry {

/// Conjugate gradients on A^T A x = A^T b as Nourazar and Goossens (2021), Algorithm 1, have them:
///   r = A^T b, p = r, phi = <r, r>;
///   q = A^T (A p), a = phi / <p, q>, x += a p, r -= a q, p = r + <r, r> / phi p
/// Without rounding these are the iterates of CGLS. All but A p are images, which takes less memory
/// where rays are more than voxels; but r is what is left of the gradient by recurrence alone, and
/// <p, q> instead of ||A p||^2 squares the condition of what is rounded: CGLS goes further (Bjorck
/// 1996, 7.4.1), so prefer it. Here for comparison with print. Needs an exact pair.
inline constexpr SolverTraits cg_normal_traits{.needs_exact_pair = true};
std::vector<ParamSpec> cg_normal_params();
std::unique_ptr<Solver> make_cg_normal(const Params& params);

}  // namespace gantry
