#pragma once

#include "core/operator/linear_operator.hpp"
#include "core/priors/prior.hpp"

#include <string>

namespace gantry {

/// lambda of the penalty lambda R(x) in 1/2 ||A x - b||^2_W + lambda R(x). An absolute weight is
/// lambda; a relative one counts in
///   rms(b) sqrt(s)   for priors of degree 1,      s   for priors of degree 2,
/// with s = ||W^(1/2) A||_F^2 / voxels, the mean squared norm of a column of A, and rms(b) the root
/// mean square of W^(1/2) b: then one weight suits scans of any size and number of views alike.
/// 0 where there is no prior. `weights` is the diagonal of W, the identity where null. Throws
/// Interrupted.
double penalty_weight(const LinearOperator& A, const Array& b, const Array* weights,
                      const Penalty& penalty);

/// "the prior counts with λ = 0.0123 mm"; empty for 0.
std::string describe_penalty_weight(double lambda, const Prior* prior);

}  // namespace gantry
