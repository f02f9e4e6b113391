#pragma once

#include "core/base/params.hpp"
#include "core/priors/prior.hpp"

#include <memory>
#include <vector>

namespace gantry {

/// Huber's function of the gradient's magnitude (Huber, Ann. Math. Statist. 35 (1964) 73):
///   R(x) = sum_j h(|(grad x)_j|),   h(t) = t^2 / (2 edge) below the edge, t - edge / 2 above it,
/// with the differences of differences.hpp. Unlike total variation it smooths small differences as
/// a parabola does, so that noise does not become steps. It has a gradient and a proximal map.
inline constexpr PriorTraits huber_traits{.has_gradient = true, .has_proximal = true, .degree = 1};
std::vector<ParamSpec> huber_params();
/// Throws UsageError on another backend than the CPU.
std::unique_ptr<Prior> make_huber(Backend& backend, const VolumeGrid& grid, const Params& params);

}  // namespace gantry
