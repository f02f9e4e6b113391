#pragma once

#include "core/solvers/carried_state.hpp"

namespace gantry::test {

/// Returns whether the next step of a method depends on the estimate only. Other methods have
/// further state, such as search directions or momentum, or raise the start image above zero.
inline bool depends_on_estimate_only(Solver& method, const LinearOperator& A, const Array& b) {
  const Array zero = Array::filled(A.backend(), A.domain_size(), 0);
  method.init({&A, &b, &zero});
  auto* carries = dynamic_cast<CarriesState*>(&method);
  const bool more = carries != nullptr && carries->carried().arrays.size() > 1;
  return !more && method.solution().to_host() == zero.to_host();
}

}  // namespace gantry::test
