#pragma once

#include "core/solvers/solver.hpp"

#include <string>

namespace gantry {

/// Interface of methods whose parameters offer more against divergence than a smaller relaxation.
class CuresDivergence {
 public:
  virtual ~CuresDivergence() = default;
  /// Returns what to do about a run that diverges, such as "use a smaller step"; empty: nothing
  /// beyond what divergence_cure() says of any method.
  virtual std::string cure() const = 0;
};

/// Returns what to do about a run of the method that diverges; empty if its parameters offer
/// nothing.
std::string divergence_cure(const Solver& solver);

}  // namespace gantry
