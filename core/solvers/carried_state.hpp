#pragma once

#include "core/solvers/solver.hpp"

#include <cstdint>
#include <variant>
#include <vector>

namespace gantry {

/// What a method carries from one step to the next, its iterate first. init makes all the rest of
/// the same problem again, so that with these a solver goes on as if it had never been left.
struct CarriedState {
  std::vector<Array*> arrays;
  std::vector<std::variant<double*, std::int64_t*, bool*>> numbers;
};

/// A solver that carries more than its iterate, or whose init changes the image that it starts
/// from. A solver without it goes on from its iterate alone.
class CarriesState {
 public:
  virtual ~CarriesState() = default;
  /// Between two steps. What it points to lives as long as the solver.
  virtual CarriedState carried() = 0;
};

/// A carried state by value, in host memory: the iterate first.
struct SolverState {
  std::vector<std::vector<float>> arrays;
  std::vector<double> numbers;  ///< whole numbers up to 2^53 and flags too
};

/// Between two steps.
SolverState save_state(Solver& solver);
/// After init of the same problem with the state's iterate as its start. Throws InputError where
/// the state is not one of this method with this operator.
void restore_state(const SolverState& state, Solver& solver);

}  // namespace gantry
