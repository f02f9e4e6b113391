#include "core/solvers/divergence_cure.hpp"

namespace gantry {

std::string divergence_cure(const Solver& solver) {
  if (const auto* cures = dynamic_cast<const CuresDivergence*>(&solver))
    if (std::string cure = cures->cure(); !cure.empty()) return cure;
  return solver.traits().has_relaxation ? "use a smaller relaxation" : "";
}

}  // namespace gantry
