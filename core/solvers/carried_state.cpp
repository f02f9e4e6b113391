#include "core/solvers/carried_state.hpp"

#include "core/base/error.hpp"

namespace gantry {

SolverState save_state(Solver& solver) {
  auto* carries = dynamic_cast<CarriesState*>(&solver);
  SolverState state;
  if (carries == nullptr) {
    state.arrays.push_back(solver.solution().to_host());
    return state;
  }
  const CarriedState carried = carries->carried();
  for (const Array* array : carried.arrays) state.arrays.push_back(array->to_host());
  for (const auto& number : carried.numbers)
    state.numbers.push_back(
        std::visit([](const auto* value) { return static_cast<double>(*value); }, number));
  return state;
}

void restore_state(const SolverState& state, Solver& solver) {
  const auto require = [](bool fits) {
    if (!fits)
      throw InputError("the saved state of the run is not one of this method on this device", {},
                       "use the solver and the device that it was saved with, or start anew");
  };
  auto* carries = dynamic_cast<CarriesState*>(&solver);
  if (carries == nullptr) return require(state.arrays.size() == 1 && state.numbers.empty());
  const CarriedState carried = carries->carried();
  require(state.arrays.size() == carried.arrays.size() &&
          state.numbers.size() == carried.numbers.size());
  for (std::size_t i = 0; i < carried.arrays.size(); ++i)
    require(state.arrays[i].size() == carried.arrays[i]->size());
  for (std::size_t i = 0; i < carried.arrays.size(); ++i)
    if (Array& array = *carried.arrays[i]; !array.empty())
      array.backend().upload(state.arrays[i].data(), array.data(), array.size());
  for (std::size_t i = 0; i < carried.numbers.size(); ++i)
    std::visit(
        [&](auto* value) {
          *value = static_cast<std::remove_pointer_t<decltype(value)>>(state.numbers[i]);
        },
        carried.numbers[i]);
}

}  // namespace gantry
