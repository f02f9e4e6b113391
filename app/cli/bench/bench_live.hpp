#pragma once

#include "app/composition.hpp"
#include "core/geometry/bench_cases.hpp"
#include "core/job/experiment.hpp"

#include <nlohmann/json.hpp>

#include <string>

namespace gantry::cli {

/// Measures what a run that is watched costs and how soon commands take effect, in ms: an iteration
/// alone, with slices taken thirty times a second, with three sections, with the sinogram, with
/// metrics; start to first picture; pause and stop, given at random moments of an iteration.
nlohmann::ordered_json bench_live(const BenchCase& c, const RunSpec& run, int repeats,
                                  Program& program);

/// Returns the row as a line of text.
std::string describe_live(const nlohmann::ordered_json& row);

}  // namespace gantry::cli
