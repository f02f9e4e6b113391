#include "core/operator/subset_sweep.hpp"

#include "core/base/error.hpp"
#include "core/operator/applications.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace gantry {

double SubsetUpdate::apply(float* x, const float* gradient, const float* column_sum,
                           std::size_t count) const {
  // The division must not depend on a condition, or the loop is not vectorised: a division that
  // could trap is never moved out of a branch. For sums that do not count, the divisor is a tiny
  // number.
  constexpr float something = std::numeric_limits<float>::min();
  const float step = relaxation, lowest = low, smallest = smallest_column_sum;
  double square = 0;
#pragma omp simd reduction(+ : square)
  for (std::size_t i = 0; i < count; ++i) {
    const float sum = column_sum[i], counts = sum > smallest ? 1.0F : 0.0F;
    const float along = counts * gradient[i] / std::max(sum, something);
    const float updated = std::max(x[i] + step * along, lowest);
    const double change = static_cast<double>(updated) - x[i];
    square += change * change;
    x[i] = updated;
  }
  return square;
}

SubsetSweep::SubsetSweep(const LinearOperator& A, Array row_weight, const SubsetUpdate& update)
    : A_(A),
      row_weight_(std::move(row_weight)),
      update_(update),
      rays_(A.backend(), A.range_size()),
      gradient_(A.backend(), A.domain_size()),
      column_weight_(A.backend(), A.domain_size()) {
  if (row_weight_.size() != A.range_size())
    throw ShapeError("sweep: there are " + std::to_string(row_weight_.size()) +
                     " row weights for " + std::to_string(A.range_size()) + " rays");
  if (!update_.by_column_sums()) A.backend().fill(column_weight_, update_.column_weight);
}

UpdateNorms SubsetSweep::run(Array& x, const Array& b, std::span<const ViewSubset> subsets) {
  double views = 0;
  for (const ViewSubset& subset : subsets) {
    A_.check(x, b, subset, "sweep");
    views += subset.count;
  }
  if (subsets.empty()) return {};
  const CountedApplications count(A_, update_.products() * views / A_.views());
  return do_run(x, b, subsets);
}

UpdateNorms SubsetSweep::do_update(Array& x, const Array& b, ViewSubset subset) {
  return update_by_products(x, b, subset);
}

UpdateNorms SubsetSweep::do_run(Array& x, const Array& b, std::span<const ViewSubset> subsets) {
  if (subsets.size() == 1) return do_update(x, b, subsets.front());
  Array updated = x.clone();
  UpdateNorms sum;
  for (const ViewSubset& subset : subsets) {
    const UpdateNorms norms = do_update(updated, b, subset);
    sum.residual_square += norms.residual_square;
    sum.update_square += norms.update_square;
  }
  A_.backend().copy(updated, x);
  return sum;
}

UpdateNorms SubsetSweep::update_by_products(Array& x, const Array& b, ViewSubset subset) {
  Backend& backend = A_.backend();
  if (update_.by_column_sums()) {
    for (int i = 0; i < subset.count; ++i)
      backend.fill(rays_, 1.0F, static_cast<std::size_t>(subset.view(i)) * A_.cells_per_view(),
                   A_.cells_per_view());
    A_.adjoint(rays_, column_weight_, subset);  // A_s^T 1, the inverse of C_s
    backend.safe_reciprocal(column_weight_, update_.smallest_column_sum);
  }
  UpdateNorms norms;
  norms.residual_square = A_.residual_adjoint(x, b, &row_weight_, rays_, gradient_, subset);
  norms.update_square =
      backend.scaled_update(x, update_.relaxation, column_weight_, gradient_, update_.low);
  return norms;
}

std::unique_ptr<SubsetSweep> make_subset_sweep(const LinearOperator& A, Array row_weight,
                                               const SubsetUpdate& update) {
  if (const auto* own = dynamic_cast<const MakesSubsetSweeps*>(&A))
    return own->make_subset_sweep(std::move(row_weight), update);
  return std::make_unique<SubsetSweep>(A, std::move(row_weight), update);
}

}  // namespace gantry
