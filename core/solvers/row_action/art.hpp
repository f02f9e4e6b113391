#pragma once

#include "core/base/params.hpp"
#include "core/solvers/solver.hpp"

#include <memory>
#include <vector>

namespace gantry {

/// ART, the algebraic reconstruction technique: Kaczmarz's projections onto the hyperplanes of the
/// rays, one after another (Kaczmarz, Bull. Acad. Polon. Sci. Lett. A35 (1937) 355; Gordon, Bender
/// and Herman, J. Theor. Biol. 29 (1970) 471). A step processes one view. Needs single weights, on
/// the CPU.
inline constexpr SolverTraits art_traits{
    .needs_rows = true, .has_relaxation = true, .family = SolverFamily::row_and_column};
std::vector<ParamSpec> art_params();
std::unique_ptr<Solver> make_art(const Params& params);

}  // namespace gantry
