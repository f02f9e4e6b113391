#pragma once

#include "core/operator/linear_operator.hpp"
#include "core/priors/prior.hpp"
#include "core/solvers/solver.hpp"

#include <string>
#include <vector>

namespace gantry {

/// Returns lambda of the objective 1/2 ||A x - b||^2_W + lambda R(x); 0 without a prior. An
/// absolute weight is lambda itself; a relative weight is multiplied by
///   rms(b) sqrt(s)   for priors of degree 1,      s   for priors of degree 2,
/// with s = ||W^(1/2) A||_F^2 / voxels, the mean squared norm of a column of A, and rms(b) the root
/// mean square of W^(1/2) b, so that one relative weight suits scans of any size and number of
/// views. An automatic weight is found by automatic_weight(). `weights` is the diagonal of W; null:
/// the identity. Throws Interrupted, and UsageError as automatic_weight() does.
double penalty_weight(const LinearOperator& A, const Array& b, const Array* weights,
                      const Penalty& penalty);

/// Returns "the prior counts with λ = 0.0123 mm"; empty if lambda is 0.
std::string describe_penalty_weight(double lambda, const Prior* prior);

/// Returns ||W^(1/2) A||_F^2 / voxels, the mean squared norm of a matrix column; W = diag(weights),
/// or the identity if null. Divided by it, the weight of a penalty means the same for scans of any
/// size. The estimate is ||A s||^2 for random signs s, whose expectation is ||A||_F^2 (Hutchinson,
/// Commun. Stat. Simul. 19 (1990) 433). The signs are always the same. Throws Interrupted.
double mean_column_square(const LinearOperator& A, const Array* weights = nullptr);

/// Returns the notes of a method with a penalty: the weight of the prior and, if the method should
/// have begun with the filtered backprojection and could not, that it began with zero.
std::vector<std::string> penalty_notes(double lambda, const Prior* prior,
                                       bool started_from_zero = false);

/// Returns the objective at x with the residual r = b - A x, whose norm is known; `weights`
/// null: 1.
Objective objective_of(const Array& residual, double residual_norm, const Array* weights,
                       double lambda, const Prior* prior, const Array& x);

}  // namespace gantry
