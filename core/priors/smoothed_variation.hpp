#pragma once

#include "core/base/params.hpp"
#include "core/priors/prior.hpp"

#include <memory>
#include <vector>

namespace gantry {

/// Isotropic total variation, smoothed for methods that need a gradient:
///   R(x) = sum_j sqrt(|(grad x)_j|^2 + s^2) - s,   s the smoothing, 1/mm,
/// with the differences of differences.hpp. For s -> 0 it is total variation.
inline constexpr PriorTraits smoothed_variation_traits{.has_gradient = true, .degree = 1};
std::vector<ParamSpec> smoothed_variation_params();
/// Returns s in 1/mm.
double variation_smoothing(const Params& params);
/// Throws UsageError on another backend than the CPU.
std::unique_ptr<Prior> make_smoothed_variation(Backend& backend, const VolumeGrid& grid,
                                               const Params& params);

}  // namespace gantry
