#pragma once

#include "core/solvers/view_order.hpp"
#include "studies/matrix_study_context.hpp"
#include "studies/row_matrix.hpp"

#include <string>
#include <vector>

namespace gantry::matrix_cbct {

/// How a sweep of SART updates the image; without changes as print has it.
struct SweepForm {
  double relaxation = 1;
  ViewOrder order = ViewOrder::natural;
  double least_column = 0;  ///< pixels with less than this part of a view's mean column sum stay
  bool one_norm = false;    ///< eq. 9 of Yu et al. 2019, at half its bound, in place of SART
};

/// By what factor a sweep of SART changes errors in the long run: the largest modulus of the
/// eigenvalues of the matrix that takes the error before a sweep to that after it, for a scan of
/// 256^2 pixels made 16 times smaller. Float64, dense.
class SweepGrowth {
 public:
  explicit SweepGrowth(const MatrixStudyContext& context);

  double of(const SweepForm& form) const;
  std::string described() const { return describe_case(setting_); }

 private:
  /// Takes the error e through a sweep.
  void sweep(const SweepForm& form, std::vector<double>& e) const;
  /// Returns the largest eigenvalue of A^T diag(1 / ||a_i||^2) A over the rays of a view, of all
  /// views.
  double largest_of_views() const;

  BenchCase setting_;
  RowMatrix rows_;
  std::vector<double> row_sum_;                  // of each ray
  std::vector<std::vector<double>> column_sum_;  // of each view, by pixel
  double largest_ = 0;                           // see largest_of_views
};

}  // namespace gantry::matrix_cbct
