#pragma once

#include "app/composition.hpp"
#include "core/backend/energy_counter.hpp"
#include "core/geometry/bench_cases.hpp"

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace gantry::cli {

struct SolverBench {
  std::string backend, projector, solver;  ///< solver empty: all
  std::string format;                      ///< of stored weights; empty: computed on the fly
  std::vector<std::string> settings;       ///< "format.weights=compact"
  int repeats;
  const EnergyCounter* energy = nullptr;  ///< null: not measured
};

/// Times iterations of solvers on a scan, as a run makes them: the first with its set-up, then each
/// further one. Of a method of one step the step is timed, again and again, without its set-up.
/// Energy is of iterations.
nlohmann::ordered_json bench_solvers(const BenchCase& c, const SolverBench& options,
                                     Program& program);

/// The rows as lines for people.
std::string solver_table(const nlohmann::ordered_json& rows);

}  // namespace gantry::cli
