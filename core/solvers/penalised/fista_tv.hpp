#pragma once

#include "core/base/params.hpp"
#include "core/priors/regularizer.hpp"
#include "core/solvers/solver.hpp"

#include <memory>
#include <vector>

namespace gantry {

/// Least squares with total variation by the monotone fast proximal gradient method (MFISTA, Beck
/// and Teboulle, IEEE Trans. Image Process. 18 (2009) 2419, section 5):
///   minimise F(x) = 1/2 ||A x - b||^2 + lambda TV(x), x >= 0 if wanted
///   z  = prox_{lambda TV / L}(y - A^T (A y - b) / L),   L >= ||A||^2
///   x' = z if F(z) <= F(x), else x,   t' = (1 + sqrt(1 + 4 t^2)) / 2
///   y' = x' + (t / t') (z - x') + ((t - 1) / t') (x' - x)
/// A y is a combination of the products A z already made, so that a step costs one product with A
/// and one with A^T, as plain least squares does. F never rises. L comes from a power iteration.
/// A step that is turned down (x' = x) reports the change that it tried.
inline constexpr SolverTraits fista_tv_traits{.needs_exact_pair = true};
std::vector<ParamSpec> fista_tv_params();
std::unique_ptr<Solver> make_fista_tv(const Params& params);

/// The same with another maker of total variation: that of another device.
std::unique_ptr<Solver> make_fista_tv_with(const Params& params, RegularizerMaker regularizer);

}  // namespace gantry
