#pragma once

#include "core/solvers/solver.hpp"

#include <string>

namespace gantry {

/// Sets r = b - A x and returns ||r||, with the weights that the method corrects by: those of
/// single rows and columns if it reads these, also where A is stored in half precision. Counts as
/// one product of A. Throws Interrupted.
double iterate_residual(const SolverTraits& method, const LinearOperator& A, const Array& b,
                        const Array& x, Array& r);

/// Returns a note if these weights are not those of A; else an empty text.
std::string single_weights_note(const SolverTraits& method, const LinearOperator& A);

}  // namespace gantry
