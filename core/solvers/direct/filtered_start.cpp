#include "core/solvers/direct/filtered_start.hpp"

namespace gantry {

bool filtered_start(const LinearOperator& A, const Array& b, const FilteredSumMaker& make_sum,
                    Array& x) {
  const auto* projector = dynamic_cast<const Projector*>(&A);
  if (projector == nullptr || projector->geometry().spec().trajectory != Trajectory::circular)
    return false;
  make_sum(*projector, FilteringPlan::of(projector->geometry(), "hann", 1))->compute(b, x);
  return true;
}

}  // namespace gantry
