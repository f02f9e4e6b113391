#pragma once

#include "core/base/params.hpp"
#include "core/priors/prior.hpp"

#include <memory>
#include <vector>

namespace gantry {

/// Isotropic total variation of a 2D or 3D image (Rudin, Osher, Fatemi, Physica D 60 (1992) 259):
///   TV(x) = sum_j |(grad x)_j|, with the differences of differences.hpp, in 1/mm.
/// Its proximal map is that of DualProjection with edge 0.
inline constexpr PriorTraits total_variation_traits{.has_proximal = true, .degree = 1};
std::vector<ParamSpec> total_variation_params();
/// Throws UsageError on another backend than the CPU.
std::unique_ptr<Prior> make_total_variation(Backend& backend, const VolumeGrid& grid,
                                            const Params& params);

}  // namespace gantry
