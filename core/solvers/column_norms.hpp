#pragma once

#include "core/operator/linear_operator.hpp"

namespace gantry {

/// ||W^(1/2) A||_F^2 / voxels, the mean squared norm of a column, W = diag(weights) or the identity
/// where null. It is the scale on which a penalty's weight counts alike for scans of any size: E
/// ||A s||^2 = ||A||_F^2 for random signs s (Hutchinson, Commun. Stat. Simul. 19 (1990) 433).
/// Always the same signs. Throws Interrupted.
double mean_column_square(const LinearOperator& A, const Array* weights = nullptr);

}  // namespace gantry
