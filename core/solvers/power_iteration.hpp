#pragma once

#include "core/operator/linear_operator.hpp"

namespace gantry {

/// When a power iteration ends: after so many products with A and A^T, or once the estimate grew by
/// less than this fraction.
struct PowerLimits {
  int iterations = 100;
  double tolerance = 1e-6;
};

struct PowerResult {
  double eigenvalue = 0;   ///< approached from below; 0 for an operator without weights
  int iterations = 0;      ///< applications of A and of A^T
  bool converged = false;  ///< the tolerance was reached
};

/// The largest eigenvalue of C A^T R A, with C = diag(column_weight) >= 0 over voxels and R =
/// diag(row_weight) >= 0 over rays, the identity where null: the bound 2 / eigenvalue of a step
/// size (von Mises and Pollaczek-Geiringer, ZAMM 9 (1929) 152). Always starts from the
/// same image. Needs an exact pair. Throws Interrupted when asked to give way; nothing is kept.
PowerResult largest_eigenvalue(const LinearOperator& A, const Array* column_weight,
                               const Array* row_weight, PowerLimits limits = {});
/// The same of the rows of some views alone.
PowerResult largest_eigenvalue(const LinearOperator& A, ViewSubset views,
                               const Array* column_weight, const Array* row_weight,
                               PowerLimits limits = {});

/// ||A||^2, the largest eigenvalue of A^T A: the Lipschitz constant of the gradient of 1/2 ||A x -
/// b||^2.
double operator_norm_square(const LinearOperator& A, int iterations = PowerLimits{}.iterations);

}  // namespace gantry
