#pragma once

#include "core/base/params.hpp"
#include "core/solvers/direct/filtered_backprojection.hpp"

#include <memory>
#include <vector>

namespace gantry {

/// The method of Feldkamp, Davis and Kress (J. Opt. Soc. Am. A 1 (1984) 612): filtered
/// backprojection for a cone beam on a circle, flat and arc detectors, full turn or short scan
/// (Parker's weights of the plane of rotation in every row), in a single step; free poses near a
/// circle are resampled onto it (CircleResampling). Exact on the
/// mid-plane and for objects constant along z; elsewhere values decrease with the cone angle. init
/// throws UsageError for other scans, and for operators that are not projectors.
inline constexpr SolverTraits fdk_traits{.is_direct = true,
                                         .scans = {.parallel_and_fan = false, .helical = false},
                                         .family = SolverFamily::direct};
std::vector<ParamSpec> fdk_params();
std::unique_ptr<Solver> make_fdk(const Params& params);

/// Makes FDK with the filtered sum of another device. Throws UsageError for an extrapolation above
/// 0.
std::unique_ptr<Solver> make_fdk_with(const Params& params, FilteredSumMaker make_sum);

}  // namespace gantry
