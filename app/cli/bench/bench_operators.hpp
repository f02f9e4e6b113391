#pragma once

#include "app/composition.hpp"
#include "core/geometry/bench_cases.hpp"

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace gantry::cli {

struct OperatorBench {
  std::string backend, projector;  ///< projector empty: all of the backend
  std::vector<int> threads;        ///< of the processor; empty: 1 and all
  int repeats;
};

/// Times the products of every projector with a scan, forward and transposed: a row for each
/// projector, direction and number of threads. A row of an exact pair says how many times the time
/// of the fastest one it takes; a projector that a scan does not suit says why. One that takes
/// minutes where others take seconds is left out, and says so, unless it is named.
nlohmann::ordered_json bench_operators(const BenchCase& c, const OperatorBench& options,
                                       Program& program);

/// The rows of one case as a table for people.
std::string operator_table(const BenchCase& c, const nlohmann::ordered_json& rows);

}  // namespace gantry::cli
