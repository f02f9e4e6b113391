#pragma once

#include "core/solvers/solver.hpp"

#include <cstdint>
#include <variant>
#include <vector>

namespace gantry {

/// Everything that a method passes on from one step to the next, its iterate first. init of the
/// same problem restores all other members, so that a solver with this state continues exactly as
/// the saved one would have.
struct CarriedState {
  std::vector<Array*> arrays;
  std::vector<std::variant<double*, std::int64_t*, bool*>> numbers;
};

/// Adds the edge field of a prior, which adapts from step to step, to the state of a method that
/// uses the prior; null: none.
inline void carry_edges(Prior* prior, CarriedState& state) {
  if (prior != nullptr && prior->edges() != nullptr) state.arrays.push_back(prior->edges());
}

/// Interface of solvers whose state is more than the iterate, or whose init changes the image that
/// it starts from. Other solvers continue from their iterate alone.
class CarriesState {
 public:
  virtual ~CarriesState() = default;
  /// Returns pointers to the state, valid as long as the solver. To be called between two steps.
  virtual CarriedState carried() = 0;
};

/// A carried state by value, in host memory: the iterate first.
struct SolverState {
  std::vector<std::vector<float>> arrays;
  std::vector<double> numbers;  ///< also integers up to 2^53 and flags (0 or 1)
};

/// Returns a copy of the solver's state. To be called between two steps.
SolverState save_state(Solver& solver);
/// Gives a solver the saved state; the solver must have been initialised for the same problem, with
/// the state's iterate as x0. Throws InputError if the state does not fit this method and operator.
void restore_state(const SolverState& state, Solver& solver);

}  // namespace gantry
