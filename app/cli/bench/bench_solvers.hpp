#pragma once

#include "app/composition.hpp"
#include "core/backend/energy_counter.hpp"
#include "core/geometry/bench_cases.hpp"

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace gantry::cli {

struct SolverBench {
  std::string backend, projector, solver;  ///< solver empty: all solvers
  std::string format;                      ///< matrix format; empty: weights computed on the fly
  std::vector<std::string> settings;       ///< "format.weights=compact"
  int repeats;
  const EnergyCounter* energy = nullptr;  ///< null: not measured
};

/// Measures iterations of solvers on a scan, in a run: the first iteration, which includes the
/// set-up, and the following ones. For a method of one step, the step without its set-up is
/// measured repeatedly. Energy is measured for iterations only.
nlohmann::ordered_json bench_solvers(const BenchCase& c, const SolverBench& options,
                                     Program& program);

/// Returns the rows as lines of text.
std::string solver_table(const nlohmann::ordered_json& rows);

}  // namespace gantry::cli
