#pragma once

#include "core/operator/linear_operator.hpp"

namespace gantry {

/// A power iteration ends after `iterations` products with A and with A^T, or once the estimate
/// grows by less than the fraction `tolerance`.
struct PowerLimits {
  int iterations = 100;
  double tolerance = 1e-6;
};

struct PowerResult {
  double eigenvalue = 0;   ///< approached from below; 0 if A is zero
  int iterations = 0;      ///< applications of A and of A^T
  bool converged = false;  ///< the tolerance was reached
};

/// Returns the largest eigenvalue of C A^T R A, with C = diag(column_weight) >= 0 over voxels and R
/// = diag(row_weight) >= 0 over rays, or the identity if null. A gradient step converges for step
/// sizes below 2 / eigenvalue (von Mises and Pollaczek-Geiringer, ZAMM 9 (1929) 152). The first
/// vector is always the same. Needs an exact pair. Throws Interrupted.
PowerResult largest_eigenvalue(const LinearOperator& A, const Array* column_weight,
                               const Array* row_weight, PowerLimits limits = {});
/// Does the same with the rows of some views alone.
PowerResult largest_eigenvalue(const LinearOperator& A, ViewSubset views,
                               const Array* column_weight, const Array* row_weight,
                               PowerLimits limits = {});

/// Returns a bound of the largest eigenvalue of A_s^T R A_s over a subset s of the views, as a step
/// size needs it: 1.02 times the estimate of at most 20 iterations, which approaches the eigenvalue
/// from below. Throws Interrupted.
double eigenvalue_bound(const LinearOperator& A, ViewSubset views, const Array* row_weight);

/// Returns ||A||^2, the largest eigenvalue of A^T A: the Lipschitz constant of the gradient of 1/2
/// ||A x - b||^2.
double operator_norm_square(const LinearOperator& A, int iterations = PowerLimits{}.iterations);

}  // namespace gantry
