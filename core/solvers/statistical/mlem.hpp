#pragma once

#include "core/base/params.hpp"
#include "core/solvers/solver.hpp"

#include <memory>
#include <vector>

namespace gantry {

// MLEM and OSEM: see expectation_maximisation.hpp for the common formula and the references.

/// Traits of MLEM and OSEM.
inline constexpr SolverTraits mlem_traits{.family = SolverFamily::statistical};
std::vector<ParamSpec> mlem_params();
std::unique_ptr<Solver> make_mlem(const Params& params);

std::vector<ParamSpec> osem_params();
std::unique_ptr<Solver> make_osem(const Params& params);

}  // namespace gantry
