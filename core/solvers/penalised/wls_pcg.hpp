#pragma once

#include "core/base/params.hpp"
#include "core/solvers/direct/filtered_backprojection.hpp"
#include "core/solvers/solver.hpp"

#include <memory>
#include <vector>

namespace gantry {

/// Weighted least squares with any prior that has a gradient (with q-GGMRF: Thibault, Sauer, Bouman
/// and Hsieh, Med. Phys. 34 (2007) 4526) by nonlinear preconditioned conjugate gradients (Fu et
/// al., Proc. SPIE 8313 (2012) 83133O; Liu et al., IEEE Trans. Comput. Imaging 3 (2017) 617, figure
/// 18):
///   minimise Phi(x) = 1/2 sum w_i (b - A x)_i^2 + lambda R(x)
///   s = A^T W (b - A x) - lambda grad R(x)                       (-grad Phi)
///   z = s / (A^T W A 1 + lambda h)            (h: curvature of R's separable majoriser)
///   p = z + max(0, <z, s - s_last> / <z_last, s_last>) p         (Polak and Ribiere)
///   x = x + a p,  a = argmin Phi(x + a p)
/// p = z if the sum is not a descent direction. The line search minimises a sequence of parabolas,
/// each of which touches Phi and lies nowhere below it, so that Phi never increases. b - A (x + a
/// p) is known without a product: a step costs one product with A and one with A^T. The factor of
/// Polak and Ribiere is the right one for a preconditioner that changes with x (Notay, SIAM J. Sci.
/// Comput. 22 (2000) 1444). Without x0, the method starts from the filtered backprojection if the
/// scan has one, multiplied by the factor that fits the data best: filtered backprojection does not
/// use the weights of the rays. Needs an exact pair.
inline constexpr SolverTraits wls_pcg_traits{.needs_exact_pair = true,
                                             .uses_ray_weights = true,
                                             .reports_objective = true,
                                             .prior = PriorUse::gradient,
                                             .usual_prior = "qggmrf",
                                             .family = SolverFamily::regularised};
std::vector<ParamSpec> wls_pcg_params();
std::unique_ptr<Solver> make_wls_pcg(const Params& params);

/// Makes the method with the filtered backprojection of another device.
std::unique_ptr<Solver> make_wls_pcg_with(const Params& params, FilteredSumMaker make_sum);

}  // namespace gantry
