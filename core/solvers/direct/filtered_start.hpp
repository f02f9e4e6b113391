#pragma once

#include "core/solvers/direct/filtered_backprojection.hpp"

namespace gantry {

/// x = the filtered backprojection of b (FBP, or FDK for a cone beam) with the Hann window, for
/// iterative methods to start from. False, with x as it was, where there is none: for a scan that
/// is no circle, and for an operator that is no projector. Throws Interrupted; x is then undefined.
bool filtered_start(const LinearOperator& A, const Array& b, const FilteredSumMaker& make_sum,
                    Array& x);

}  // namespace gantry
