#pragma once

#include "app/composition.hpp"
#include "core/geometry/bench_cases.hpp"
#include "core/job/experiment.hpp"

#include <nlohmann/json.hpp>

#include <string>

namespace gantry::cli {

/// What being watched costs a run, and how soon it obeys: time of an iteration alone, of one whose
/// slices are taken thirty times a second, and of one whose sinogram is computed as well; from
/// start to the first picture; from the command to the answer for pause and for stop, at arbitrary
/// moments of an iteration. Milliseconds.
nlohmann::ordered_json bench_live(const BenchCase& c, const RunSpec& run, int repeats,
                                  Program& program);

/// The same as a line for people.
std::string describe_live(const nlohmann::ordered_json& row);

}  // namespace gantry::cli
