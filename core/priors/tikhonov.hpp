#pragma once

#include "core/base/params.hpp"
#include "core/priors/prior.hpp"

#include <memory>
#include <vector>

namespace gantry {

/// Tikhonov's penalty of differences (Tikhonov, Soviet Math. Dokl. 4 (1963) 1035):
///   R(x) = 1/2 sum_j |(grad x)_j|^2, with the differences of differences.hpp.
/// It smooths all differences alike, edges as well as noise.
inline constexpr PriorTraits tikhonov_traits{.has_gradient = true, .degree = 2};
std::vector<ParamSpec> tikhonov_params();
/// Throws UsageError on another backend than the CPU.
std::unique_ptr<Prior> make_tikhonov(Backend& backend, const VolumeGrid& grid,
                                     const Params& params);

}  // namespace gantry
