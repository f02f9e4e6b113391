#pragma once

#include "app/composition.hpp"
#include "core/geometry/bench_cases.hpp"

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace gantry::cli {

struct OperatorBench {
  std::string backend, projector;  ///< projector empty: all projectors of the backend
  std::vector<int> threads;        ///< numbers of CPU threads; empty: 1 and all
  int repeats;
};

/// Measures forward products and backprojections of every projector on a scan: a row for each
/// projector, direction and number of threads. A row of an exact pair has its time relative to the
/// fastest exact pair. A projector that does not suit the scan gives a row with the reason. A
/// projector that takes minutes where others take seconds is left out, with a row that says so,
/// unless it is named.
nlohmann::ordered_json bench_operators(const BenchCase& c, const OperatorBench& options,
                                       Program& program);

/// Returns the rows of one case as a table.
std::string operator_table(const BenchCase& c, const nlohmann::ordered_json& rows);

}  // namespace gantry::cli
