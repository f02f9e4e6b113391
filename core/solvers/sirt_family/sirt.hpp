#pragma once

#include "core/base/params.hpp"
#include "core/solvers/solver.hpp"

#include <memory>
#include <vector>

namespace gantry {

// SIRT, OS-SART and SART: see weighted_subsets.hpp for the common formula and the references.

inline constexpr SolverTraits sirt_traits{.has_relaxation = true,
                                          .family = SolverFamily::simultaneous};
std::vector<ParamSpec> sirt_params();
std::unique_ptr<Solver> make_sirt(const Params& params);

/// Traits of SART and OS-SART, which correct by one subset of the views after another.
inline constexpr SolverTraits sart_traits{
    .has_relaxation = true, .through_subsets = true, .family = SolverFamily::simultaneous};
std::vector<ParamSpec> os_sart_params();
std::unique_ptr<Solver> make_os_sart(const Params& params);

std::vector<ParamSpec> sart_params();
std::unique_ptr<Solver> make_sart(const Params& params);

}  // namespace gantry
