#pragma once

#include "core/base/params.hpp"
#include "core/solvers/direct/filtered_backprojection.hpp"

#include <memory>
#include <vector>

namespace gantry {

/// Filtered backprojection for parallel and fan beams (flat and arc), slice by slice, full turn or
/// short scan, in a single step; free poses of a parallel beam near a circle are resampled onto it
/// (CircleResampling). (Kak and Slaney, Principles of Computerized Tomographic Imaging,
/// 1988, sections 3.3 and 3.4; Parker, Med. Phys. 9 (1982) 254.) init throws UsageError for a cone
/// beam, and for operators that are not projectors.
inline constexpr SolverTraits fbp_traits{
    .is_direct = true, .scans = {.cone = false, .helical = false}, .family = SolverFamily::direct};
std::vector<ParamSpec> fbp_params();
std::unique_ptr<Solver> make_fbp(const Params& params);

/// Makes FBP with the filtered sum of another device. Throws UsageError for an extrapolation above
/// 0.
std::unique_ptr<Solver> make_fbp_with(const Params& params, FilteredSumMaker make_sum);

}  // namespace gantry
