#pragma once

#include "app/cli/bench/bench_matrices.hpp"

namespace gantry::cli {

/// Builds each matrix format of a scan and, at `repeats` moments spread over the time that takes,
/// asks it to give way: how long until it does.
nlohmann::ordered_json bench_cancel(const BenchCase& c, const MatrixBench& options,
                                    Program& program);
std::string cancel_table(const nlohmann::ordered_json& rows);

}  // namespace gantry::cli
