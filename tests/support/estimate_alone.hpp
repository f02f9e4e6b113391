#pragma once

#include "core/solvers/carried_state.hpp"

namespace gantry::test {

/// Whether the next step of a method depends on the estimate alone. Other methods carry more, such
/// as search directions or momentum, or keep the image that they start from above zero.
inline bool goes_by_estimate_alone(Solver& method, const LinearOperator& A, const Array& b) {
  const Array zero = Array::filled(A.backend(), A.domain_size(), 0);
  method.init({&A, &b, &zero});
  auto* carries = dynamic_cast<CarriesState*>(&method);
  const bool more = carries != nullptr && carries->carried().arrays.size() > 1;
  return !more && method.solution().to_host() == zero.to_host();
}

}  // namespace gantry::test
