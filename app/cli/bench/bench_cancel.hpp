#pragma once

#include "app/cli/bench/bench_matrices.hpp"

namespace gantry::cli {

/// Builds each matrix format of a scan `repeats` times, interrupts the builds at moments spread
/// over their duration, and reports the longest time from interrupt to end.
nlohmann::ordered_json bench_cancel(const BenchCase& c, const MatrixBench& options,
                                    Program& program);
std::string cancel_table(const nlohmann::ordered_json& rows);

}  // namespace gantry::cli
